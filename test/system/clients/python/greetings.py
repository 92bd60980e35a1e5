"""An operator as kopf's documentation writes it; `kopf run greetings.py`."""

import os

import kopf
import kubernetes

GROUP = "python.clients.example.com"
OWNED = {f"{GROUP}/greeting": kopf.PRESENT}


@kopf.on.startup()
def configure(settings: kopf.OperatorSettings, **_):
    kubernetes.config.load_kube_config(os.environ["KUBECONFIG"])
    settings.posting.level = 20
    settings.persistence.finalizer = f"{GROUP}/farewell"


def config_map(name, said):
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": f"{name}-greeting", "labels": {f"{GROUP}/greeting": name}},
        "data": {"said": said},
    }


@kopf.on.create(GROUP, "v1", "greetings")
@kopf.on.update(GROUP, "v1", "greetings", field="spec")
@kopf.on.resume(GROUP, "v1", "greetings")
def greet(spec, name, namespace, meta, body, patch, **_):
    said = " ".join([spec["text"]] * spec["copies"])
    data = config_map(name, said)
    kopf.adopt(data)
    api = kubernetes.client.CoreV1Api()
    try:
        api.create_namespaced_config_map(namespace, data)
    except kubernetes.client.ApiException as error:
        if error.status != 409:
            raise
        api.patch_namespaced_config_map(data["metadata"]["name"], namespace, {"data": data["data"]})
    kopf.event(body, type="Normal", reason="Greeted", message=f"said {said!r}")
    patch.status["said"] = said
    patch.status["observedGeneration"] = meta["generation"]


@kopf.on.event("configmaps", labels=OWNED)
def watch_owned(event, labels, namespace, **_):
    """Touches the greeting whose config map has gone, so that it is said again."""
    if event["type"] != "DELETED":
        return
    api = kubernetes.client.CustomObjectsApi()
    name = labels[f"{GROUP}/greeting"]
    try:
        greeting = api.get_namespaced_custom_object(GROUP, "v1", namespace, "greetings", name)
    except kubernetes.client.ApiException as error:
        if error.status == 404:
            return
        raise
    if "deletionTimestamp" in greeting["metadata"]:
        return
    data = config_map(name, greeting["status"]["said"])
    kopf.append_owner_reference(data, owner=greeting)
    kubernetes.client.CoreV1Api().create_namespaced_config_map(namespace, data)


@kopf.on.delete(GROUP, "v1", "greetings")
def farewell(name, namespace, **_):
    """What has no owner stays, as a thing outside the cluster would."""
    api = kubernetes.client.CoreV1Api()
    try:
        api.create_namespaced_config_map(namespace, {"metadata": {"name": f"{name}-farewell"}})
    except kubernetes.client.ApiException as error:
        if error.status != 409:
            raise
