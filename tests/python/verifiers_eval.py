"""Evaluates a mock of a model on a suite with `vf-eval`, and reads rewards and prompts back.

    python verifiers_eval.py SUITE N

Needs verifiers and the packages. The mock is behind an OpenAI-compatible endpoint that streams. It
gives the expected reply to every second instance, and `unknown` to the others. Prints JSON:
`right` (names of instances with a right reply), `rewards` and `correct` (by name, as the traces
have them), `failed` (errors of rollouts, by name), `changed` (names of instances whose prompts did not reach the endpoint as they are), and
`leaked` (names whose expected reply is in what the endpoint was asked).
"""

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import picardc

RIGHT: dict[str, str] = {}
SEEN: list[str] = []


class Model(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        content = asked["messages"][-1]["content"]
        if not isinstance(content, str):
            content = "".join(part.get("text", "") for part in content)
        SEEN.append(content)
        reply = RIGHT.get(content, "unknown")
        head = {"id": "x", "created": 0, "model": asked["model"], "object": "chat.completion.chunk"}
        usage = {"prompt_tokens": 30, "completion_tokens": 2, "total_tokens": 32}
        parts = [
            {"choices": [{"index": 0, "delta": {"role": "assistant", "content": reply}, "finish_reason": None}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
            {"choices": [], "usage": usage},
        ]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for part in parts:
            self.wfile.write(f"data: {json.dumps({**head, **part})}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


def main(suite: str, count: int) -> None:
    instances = list(picardc.compile(suite).instances("7/0", samples=1))[:count]
    right = instances[::2]
    RIGHT.update({instance.prompt: instance.oracle().reply for instance in right})
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    program = "from verifiers.v1.cli.eval.main import main; main()"
    flags = {
        "--env.taskset.suite": suite,
        "--env.taskset.seed": "7",
        "--env.agent.harness.id": "null",
        "--env.agent.runtime.type": "subprocess",
        "--client.base-url": f"http://127.0.0.1:{server.server_port}/v1",
        "--client.api-key-var": "MOCK_KEY",
        "-m": "mock",
        "-n": str(count),
        "-o": "eval",
    }
    words = [word for flag in flags.items() for word in flag]
    ran = subprocess.run(
        [sys.executable, "-c", program, "picardc-verifiers", *words, "--no-push"],
        env={**os.environ, "MOCK_KEY": "none"},
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode != 0:
        sys.exit(f"vf-eval: {ran.stdout}{ran.stderr}")
    (traces,) = Path("eval").rglob("traces.jsonl")
    rows = [json.loads(line) for line in traces.read_text(encoding="utf-8").split("\n") if line]
    by_name = {row["task"]["data"]["name"].split("@")[0]: row["traces"][0] for row in rows}
    rewards = {
        name: sum(part["weight"] * part["score"] for part in trace["rewards"].values())
        for name, trace in by_name.items()
    }
    told = "\n".join(SEEN)
    found = {
        "right": sorted(instance.id for instance in right),
        "rewards": rewards,
        "correct": {name: trace["metrics"].get("correct") for name, trace in by_name.items()},
        "failed": {
            name: [error["message"] for error in trace["errors"]] for name, trace in by_name.items() if trace["errors"]
        },
        "changed": [instance.id for instance in instances if instance.prompt not in SEEN],
        "leaked": [instance.id for instance in instances if instance.oracle().reply in told],
    }
    print(json.dumps(found))


main(sys.argv[1], int(sys.argv[2]))
