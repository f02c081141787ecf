# The web, a worker, or (by default) everything with an embedded store: see compose.yaml.
FROM python:3.12-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1
WORKDIR /app
COPY requirements.lock .
RUN pip install --quiet --require-hashes --requirement requirements.lock

COPY . .
RUN python -m compileall -q . && useradd --system croupier && install -d -o croupier -m 700 /data
USER croupier
ENV CROUPIER_HOST=0.0.0.0 CROUPIER_DATA=/data
VOLUME /data
EXPOSE 8000

HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["python", "-m", "service.runtime.launcher"]
