#!/usr/bin/env python3
"""Boxes: a server of hooks/v1, with Python's standard library alone.

    export HOOKS_SECRET=whsec_$(openssl rand -base64 32)
    python3 boxes.py --port 8080            # in earnest
    python3 boxes.py --port 8080 --testing  # to be proved: sequencer prove http://127.0.0.1:8080

It keeps boxes of a size and a color in memory. Each has a name that comes from its
owner, so that a creation that is repeated meets the box that is there: identity "name".
"""

import argparse
import base64
import hashlib
import hmac
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PROTOCOL = "hooks/v1"
TOLERANCE = 300  # seconds that clocks may differ
LONGEST_BODY = 1 << 20


class Refusal(Exception):
    """Nothing has happened."""

    def __init__(self, status, message, reason=None):
        super().__init__(message)
        self.status = status
        self.reason = reason


class Signatures:
    """Verifies requests as Standard Webhooks says; each counts once."""

    def __init__(self, secret):
        self.key = base64.b64decode(secret.removeprefix("whsec_"))
        self.seen = {}

    def verify(self, headers, body):
        message_id = headers.get("webhook-id", "")
        timestamp = headers.get("webhook-timestamp", "")
        signed = f"{message_id}.{timestamp}.".encode() + body
        expected = base64.b64encode(hmac.new(self.key, signed, hashlib.sha256).digest())
        given = [one.removeprefix("v1,").encode() for one in headers.get("webhook-signature", "").split()]
        if not any(hmac.compare_digest(expected, one) for one in given):
            raise Refusal(401, "wrong signature")
        now = time.time()
        if not timestamp.isdecimal() or abs(now - int(timestamp)) > TOLERANCE:
            raise Refusal(401, "too old, or too early: compare the clocks")
        self.seen = {one: at for one, at in self.seen.items() if now - at <= 2 * TOLERANCE}
        if message_id in self.seen:
            raise Refusal(401, "was sent before")
        self.seen[message_id] = now


class Boxes:
    """The functions; each takes a request and returns its answer."""

    def __init__(self, testing):
        self.boxes = {}
        self.testing = testing

    def describe(self, request):
        answer = {"identity": "name", "functions": ["find", "findAll", "observe", "update", "replaceMark"], "label": "box"}
        if self.testing:
            answer["testing"] = {
                "wanted": {"size": 1, "color": "red"},
                "edited": {"size": 2, "color": "blue"},
                "sameName": "separate",
            }
        return answer

    def find(self, request):
        mark = request["owner"]["mark"]
        names = [name for name, box in self.boxes.items() if box["mark"] == mark]
        return {"id": {"name": names[0]} if names else None}

    def findAll(self, request):
        mark = request["owner"]["mark"]  # the marks of all things of the workspace begin with it
        ours = [(name, box["mark"]) for name, box in self.boxes.items() if box["mark"].startswith(mark)]
        return {"things": [{"slot": bears.removeprefix(mark), "id": {"name": name}} for name, bears in ours]}

    def create(self, request):
        mark = request["owner"]["mark"]
        name = "box-" + hashlib.sha256(mark.encode()).hexdigest()[:16]
        if name in self.boxes or self.find(request)["id"]:
            raise Refusal(409, f"{name} is there", "exists")
        self.boxes[name] = {"mark": mark, "wanted": checked(request["wanted"])}
        return {"id": {"name": name}}

    def observe(self, request):
        box = self.boxes.get(request["id"].get("name"))
        return {"state": box["wanted"], "mark": box["mark"]} if box else {"state": None}

    def update(self, request):
        self.own(request)["wanted"] = checked(request["wanted"])
        return {}

    def replaceMark(self, request):
        self.own(request, *request["former"])["mark"] = request["owner"]["mark"]
        return {}

    def delete(self, request):
        if request["id"].get("name") in self.boxes:
            self.own(request)
            del self.boxes[request["id"]["name"]]
        return {"gone": True}

    def testList(self, request):
        return {"things": [{"id": name, "what": json.dumps(box["wanted"])} for name, box in self.boxes.items()]}

    def testDrift(self, request):
        for name in list(self.boxes)[:1]:
            del self.boxes[name]
        return {}

    def testReset(self, request):
        self.boxes.clear()
        return {}

    def own(self, request, *former):
        """The box of the request: never one with another's mark."""
        box = self.boxes.get(request["id"].get("name"))
        if box is None:
            raise Refusal(404, "there is no such box")
        if box["mark"] not in [owner["mark"] for owner in (request["owner"], *former)]:
            raise Refusal(403, "that box is another's")
        return box


def checked(wanted):
    if set(wanted) != {"size", "color"} or type(wanted["size"]) is not int or type(wanted["color"]) is not str:
        raise Refusal(422, "a box has a size, a whole number, and a color, a text")
    return wanted


# What each function needs; members that are not known here are ignored.
MEMBERS = {
    "describe": {},
    "find": {"owner": dict},
    "findAll": {"owner": dict},
    "create": {"owner": dict, "key": str, "wanted": dict},
    "observe": {"owner": dict, "id": dict},
    "update": {"owner": dict, "id": dict, "wanted": dict},
    "replaceMark": {"owner": dict, "former": list, "id": dict},
    "delete": {"owner": dict, "id": dict},
}
TESTING = {"testList": {}, "testDrift": {}, "testReset": {}}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int, default=8080)
    options.add_argument("--testing", action="store_true")
    given = options.parse_args()
    signatures = Signatures(os.environ["HOOKS_SECRET"])
    members = MEMBERS | (TESTING if given.testing else {})
    places = {}  # boxes by path: a server that is proved has some of them at a time
    lock = threading.Lock()

    def answer_to(path, headers, body):
        signatures.verify(headers, body)
        request = json.loads(body)
        if request.get("protocol") != PROTOCOL:
            raise Refusal(400, f"the protocol is {PROTOCOL}")
        name = request.get("function")
        if name not in members:
            raise Refusal(404, "there is no such function", "unknown-function")
        for member, kind in members[name].items():
            if not isinstance(request.get(member), kind):
                raise Refusal(400, f"{member} is missing")
        boxes = places.setdefault(path if given.testing else "", Boxes(given.testing))
        answer = getattr(boxes, name)(request)
        if name == "testReset":
            del places[path]
        return answer

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 60
        wbufsize = 65536  # an answer in one packet

        def do_POST(self):
            length = self.headers.get("content-length", "")
            if not length.isdecimal() or int(length) > LONGEST_BODY:
                self.close_connection = True
                return self.reply(413, {"error": {"effect": "none", "message": "too long, or of no length"}})
            body = self.rfile.read(int(length))
            try:
                with lock:  # one change at a time
                    self.reply(200, answer_to(self.path, self.headers, body))
            except Refusal as refusal:
                error = {"effect": "none", "message": str(refusal)}
                self.reply(refusal.status, {"error": error | ({"reason": refusal.reason} if refusal.reason else {})})
            except Exception as error:  # a defect: it is not known what has happened
                self.reply(500, {"error": {"effect": "unknown", "message": repr(error)}})

        def reply(self, status, answer):
            text = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", given.port), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
