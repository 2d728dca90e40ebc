"""A mock of a policy that improves, behind an OpenAI-compatible endpoint that streams.

    python mock_policy.py PORT_FILE PACE

Writes its port to PORT_FILE. It is asked `What is A + B + …?`, and adds up right if there are at most as many numbers as its skill, which is 2 at first and grows by one
after every PACE replies; otherwise it replies one too much.
"""

import json
import pathlib
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PACE = int(sys.argv[2])
lock, replies = threading.Lock(), 0


class Policy(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        global replies
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        content = asked["messages"][-1]["content"]
        if not isinstance(content, str):
            content = "".join(part.get("text", "") for part in content)
        with lock:
            skill = 2 + replies // PACE
            replies += 1
        numbers = [int(number) for number in re.findall(r"\d+", re.search(r"What is (.*)\?", content).group(1))]
        reply = str(sum(numbers) + (len(numbers) > skill))
        usage = {"prompt_tokens": 30, "completion_tokens": 2, "total_tokens": 32}
        head = {"id": "x", "created": 0, "model": asked["model"]}
        if asked.get("stream"):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            chunk = {**head, "object": "chat.completion.chunk"}
            parts = [
                {**chunk, "choices": [{"index": 0, "delta": {"role": "assistant", "content": reply}, "finish_reason": None}]},
                {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
                {**chunk, "choices": [], "usage": usage},
            ]
            for part in parts:
                self.wfile.write(f"data: {json.dumps(part)}\n\n".encode())
            self.wfile.write(b"data: [DONE]\n\n")
            self.close_connection = True
            return
        message = {"role": "assistant", "content": reply}
        choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
        body = json.dumps({**head, "object": "chat.completion", "choices": choices, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Policy)
pathlib.Path(sys.argv[1]).write_text(str(server.server_port))
server.serve_forever()
