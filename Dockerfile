# The page, the HTTP API, the chat endpoint and MCP in one small container: no root, and a root that may be read-only.
#   docker build -t pykala .
#   docker run --read-only --tmpfs /tmp -v pykala:/data -e PYKALA_API_KEYS=… -p 127.0.0.1:8765:8765 pykala
#   docker run --rm -v pykala:/data pykala get fi
FROM python:3.13-slim AS build
# What the lock does not have, such as s3 for index files there: --build-arg MORE=s3; its versions are not locked.
ARG MORE=
WORKDIR /source
COPY deploy/requirements.lock deploy/build.lock ./
# Only files whose hashes the locks name, for what the server imports and for what builds the package.
RUN python -m venv --without-pip /opt/pykala \
  && pip --python /opt/pykala/bin/python install --no-cache-dir --no-deps --require-hashes -r requirements.lock \
  && pip install --no-cache-dir --no-deps --require-hashes -r build.lock
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
# The wheel is the one that was just built; who asks for more takes it unlocked.
# hadolint ignore=DL3013
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels . \
  && pip --python /opt/pykala/bin/python install --no-cache-dir --no-deps --no-index /wheels/*.whl \
  && if [ -n "${MORE}" ]; then pip --python /opt/pykala/bin/python install --no-cache-dir --find-links /wheels "pykala[${MORE}]"; fi

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
