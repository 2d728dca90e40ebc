"""An endpoint that knows the answers: to try the way from a suite to rewards without a model.

    python -m picardc_verifiers.oracle desk.pcd --port 8000

It is OpenAI-compatible, streams, and listens on this machine only. A prompt of the stream with the
same suite, seed, and number of samples gets the expected reply, any other gets `unknown`.
"""

from __future__ import annotations

import argparse
import itertools
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from picardc import _asked


def replies(suite: str, seed: str, samples: int, rounds: int) -> dict[str, str]:
    """The expected reply to each prompt of the first rounds of the stream."""
    found: dict[str, str] = {}
    for number in range(rounds):
        for instance in _asked.load(suite, seed=f"{seed}/{number}", samples=samples):
            found[instance.prompt] = instance.oracle().reply
    return found


def handler(known: dict[str, str]) -> type[BaseHTTPRequestHandler]:
    """What answers requests, from replies by prompt."""

    class Oracle(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            content: Any = asked["messages"][-1]["content"]
            if not isinstance(content, str):
                content = "".join(part.get("text", "") for part in content)
            head = {"id": "oracle", "created": 0, "model": asked["model"], "object": "chat.completion.chunk"}
            delta = {"role": "assistant", "content": known.get(content, "unknown")}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            parts: list[dict[str, Any]] = [
                {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
                {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
                {"choices": [], "usage": usage},
            ]
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            for text in itertools.chain((json.dumps({**head, **part}) for part in parts), ["[DONE]"]):
                self.wfile.write(f"data: {text}\n\n".encode())
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    return Oracle


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve the expected replies of a suite as a model.")
    parser.add_argument("suite", help="the suite, a .pcd file")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--seed", default="0", help="that of the taskset")
    parser.add_argument("--samples", type=int, default=1, help="that of the taskset")
    parser.add_argument("--rounds", type=int, default=100, help="the number of rounds of the stream that are known")
    told = parser.parse_args()
    known = replies(told.suite, told.seed, told.samples, told.rounds)
    server = ThreadingHTTPServer(("127.0.0.1", told.port), handler(known))
    print(f"{len(known)} replies at http://127.0.0.1:{server.server_port}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
