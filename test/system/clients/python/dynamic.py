"""Python's dynamic client from a definition to a deletion, as its examples have it. Prints a line of JSON for each step."""

import json
import sys
import threading

import kubernetes
from kubernetes import client, config, dynamic, utils
from kubernetes.dynamic.exceptions import ConflictError, NotFoundError, UnprocessibleEntityError

NAMESPACE = "default"


def said(step, **facts):
    print(json.dumps({"step": step, **facts}), flush=True)


def greeting(metadata, spec):
    return {"apiVersion": "python.clients.example.com/v1", "kind": "Greeting", "metadata": metadata, "spec": spec}


def main(definition):
    api = config.new_client_from_config()
    utils.create_from_yaml(api, definition)
    definitions = dynamic.DynamicClient(api).resources.get(
        api_version="apiextensions.k8s.io/v1", kind="CustomResourceDefinition"
    )
    for event in definitions.watch(name="greetings.python.clients.example.com", timeout=30):
        conditions = (event["raw_object"].get("status") or {}).get("conditions") or []
        if any(c["type"] == "Established" and c["status"] == "True" for c in conditions):
            said("established")
            break

    dyn = dynamic.DynamicClient(api)
    greetings = dyn.resources.get(api_version="python.clients.example.com/v1", kind="Greeting")
    said("discovered", path=greetings.path("x", NAMESPACE), verbs=sorted(greetings.verbs))

    made = greetings.create(
        body=greeting({"name": "dynamic", "finalizers": ["example.com/held"]}, {"text": "hello"}),
        namespace=NAMESPACE,
    )
    said("created", copies=made.spec.copies, generation=made.metadata.generation)

    seen = []
    ready = threading.Event()

    def follow():
        for event in greetings.watch(namespace=NAMESPACE, resource_version=made.metadata.resourceVersion, timeout=30):
            seen.append(event["type"])
            ready.set()
            if event["type"] == "DELETED":
                return

    follower = threading.Thread(target=follow)
    follower.start()

    patched = greetings.patch(
        body={"spec": {"copies": 2}},
        name="dynamic",
        namespace=NAMESPACE,
        content_type="application/merge-patch+json",
    )
    said("patched", copies=patched.spec.copies, generation=patched.metadata.generation)
    status = greetings.status.patch(
        body={"status": {"said": "hello hello"}},
        name="dynamic",
        namespace=NAMESPACE,
        content_type="application/merge-patch+json",
    )
    said("status", said=status.status.said, generation=status.metadata.generation)

    applied = greetings.server_side_apply(
        body={
            "apiVersion": "python.clients.example.com/v1",
            "kind": "Greeting",
            "metadata": {"name": "dynamic", "labels": {"applied": "yes"}},
        },
        name="dynamic",
        namespace=NAMESPACE,
        field_manager="dynamic.py",
    )
    said("applied", labels=applied.metadata.labels.to_dict())

    try:
        stale = made.to_dict()
        greetings.replace(body=stale, namespace=NAMESPACE)
    except ConflictError as error:
        said("conflict", reason=json.loads(error.body)["reason"])
    try:
        greetings.create(body=greeting({"name": "bad"}, {"text": ""}), namespace=NAMESPACE)
    except UnprocessibleEntityError as error:
        said("refused", message=json.loads(error.body)["message"])

    said("listed", names=[item.metadata.name for item in greetings.get(namespace=NAMESPACE, label_selector="applied=yes").items])
    greetings.delete(name="dynamic", namespace=NAMESPACE)
    held = greetings.get(name="dynamic", namespace=NAMESPACE)
    said("held", deleting=held.metadata.deletionTimestamp is not None)
    greetings.patch(
        body={"metadata": {"finalizers": None}},
        name="dynamic",
        namespace=NAMESPACE,
        content_type="application/merge-patch+json",
    )
    follower.join(30)
    try:
        greetings.get(name="dynamic", namespace=NAMESPACE)
    except NotFoundError:
        said("gone", last=seen[-1])

    core = client.CoreV1Api(api)
    said("typed", namespaces=sorted(item.metadata.name for item in core.list_namespace().items))
    version = client.VersionApi(api).get_code()
    said("version", server=version.git_version, client=kubernetes.__version__)


main(sys.argv[1])
