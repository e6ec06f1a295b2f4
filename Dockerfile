# The service and its worker in one image. Build: docker build -t emberkeep:0.1.0 .
# Models, settings and the database live outside; nothing is fetched when it runs.

FROM node:22-bookworm-slim AS web
WORKDIR /build/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm install --no-save --no-progress
COPY web ./
RUN npm run build

FROM python:3.13-slim-bookworm AS build
WORKDIR /build
RUN python -m venv /opt/emberkeep
ENV PATH=/opt/emberkeep/bin:$PATH
COPY pyproject.toml constraints.txt README.md LICENSE NOTICE ./
COPY src ./src
COPY --from=web /build/src/emberkeep/entrypoints/http/static ./src/emberkeep/entrypoints/http/static
RUN pip install --no-cache-dir --constraint constraints.txt '.[documents,grpc,mcp,postgres,redis,server,telemetry]'

FROM python:3.13-slim-bookworm
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin emberkeep \
    && install -d -o emberkeep -g emberkeep /data
COPY --from=build /opt/emberkeep /opt/emberkeep
ENV PATH=/opt/emberkeep/bin:$PATH \
    EMBERKEEP_HOME=/data \
    PYTHONDONTWRITEBYTECODE=1
USER 10001:10001
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8787/healthz', timeout=2)"]
ENTRYPOINT ["emberkeep"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8787", "--log-format", "json"]
