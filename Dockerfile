# The page, the HTTP API, the chat endpoint and MCP in one small container: no root, and a root that may be read-only.
#   docker build -t pykala .
#   docker run --read-only --tmpfs /tmp -v pykala:/data -e PYKALA_API_KEYS=… -p 127.0.0.1:8765:8765 pykala
#   docker run --rm -v pykala:/data pykala get fi
FROM python:3.13-slim AS build
# What the server may be asked to use; s3 for index files there: --build-arg EXTRAS=…,s3
ARG EXTRAS=fast,serve,uploads,documents,postgres,redis,oidc,otel,metrics,cluster
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
# The package itself is the folder; what it needs is pinned by range in pyproject.toml.
# hadolint ignore=DL3013
RUN python -m venv --without-pip /opt/pykala \
  && pip --python /opt/pykala/bin/python install --no-cache-dir ".[${EXTRAS}]"

FROM python:3.13-slim
# The program needs no installer; an intruder would like one.
RUN useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin pykala \
  && install --directory --owner pykala --group pykala /data \
  && python -m pip uninstall --yes --no-cache-dir pip
COPY --from=build /opt/pykala /opt/pykala
ENV PATH=/opt/pykala/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYKALA_LIBRARY=/data/library \
    PYKALA_CACHE=/data/cache
USER 10001:10001
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8765/api/v1/health', timeout=4)"]
ENTRYPOINT ["pykala"]
CMD ["serve", "--host", "0.0.0.0"]
