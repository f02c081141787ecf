"""The content types of the API."""

JSON = "application/json"
PROBLEM_JSON = "application/problem+json"
NDJSON = "application/x-ndjson"
EVENT_STREAM = "text/event-stream"
MARKDOWN = "text/markdown; charset=utf-8"
