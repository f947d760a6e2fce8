"""Validates the custom resources in a file of manifests, and writes the others to a file for kubernetes-validate.

monitors.py FILE REST [FOLDER]          FOLDER: custom resource definitions; without it the custom resources are not validated
monitors.py --same-sidecar CHART COMPONENT   the pods of the two Jobs have the same init containers and volumes
"""

import pathlib
import sys

import jsonschema
import yaml


def strict(schema):
    """Refuses fields that a schema does not name, as kubectl's --validate=strict does."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: strict(value) for key, value in schema.items()}
    named = isinstance(schema.get("properties"), dict) and schema.get("type") == "object"
    if named and not schema.get("x-kubernetes-preserve-unknown-fields"):
        result.setdefault("additionalProperties", False)
    return result


def definitions(folder):
    """The schema of each group, version and kind."""
    found = {}
    for file in sorted(pathlib.Path(folder).glob("*_*monitors.yaml")):
        spec = yaml.safe_load(file.read_text())["spec"]
        for version in spec["versions"]:
            schema = strict(version["schema"]["openAPIV3Schema"])
            schema["properties"]["metadata"] = {"type": "object"}
            found[spec["group"] + "/" + version["name"], spec["names"]["kind"]] = schema
    return found


def documents(file):
    return [each for each in yaml.safe_load_all(pathlib.Path(file).read_text()) if each]


def sidecar(file):
    """The part of a Job's pod that the daemon needs."""
    pods = [each["spec"]["template"]["spec"] for each in documents(file) if each["kind"] == "Job"]
    assert len(pods) == 1, f"{len(pods)} Jobs in {file}"
    pod = pods[0]
    for container in pod["initContainers"]:
        container["image"] = container["image"].split(":")[0]
        container.pop("imagePullPolicy", None)
        container["args"] = sorted(container.get("args", []))
    return {key: pod[key] for key in ("initContainers", "volumes", "terminationGracePeriodSeconds", "restartPolicy", "securityContext")}


def main(arguments):
    if arguments[0] == "--same-sidecar":
        chart, component = (yaml.safe_dump(sidecar(file)) for file in arguments[1:])
        if chart != component:
            sys.exit(chart + "\n--- differs from ---\n" + component)
        return
    file, rest, *folder = arguments
    schemas = definitions(folder[0]) if folder else {}
    builtin = []
    for document in documents(file):
        kind = document["apiVersion"], document["kind"]
        if "." not in kind[0].split("/")[0] or kind[0].split("/")[0].endswith(".k8s.io"):
            builtin.append(document)
        elif schemas:
            try:
                jsonschema.validate(document, schemas[kind])
            except jsonschema.ValidationError as error:
                sys.exit(f"{file}: {kind[1]}: {error.json_path}: {error.message}")
            print(f"{file}: {kind[1]} {document['metadata']['name']} is valid")
    pathlib.Path(rest).write_text(yaml.safe_dump_all(builtin))


if __name__ == "__main__":
    main(sys.argv[1:])
