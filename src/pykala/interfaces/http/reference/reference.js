// The reference is made in the browser from the server's own description; nothing is asked of anybody else.
window.ui = window.SwaggerUIBundle({
  url: "api/v1/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  syntaxHighlight: { activated: false },
});
