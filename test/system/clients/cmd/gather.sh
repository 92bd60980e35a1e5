#!/usr/bin/env bash
# gather.sh MODULE OUTPUT: copies the tests of kubectl, and what they read, out of the Go module of Kubernetes that the module of that folder requires.
set -euo pipefail
kubernetes=$(go list -C "$1" -mod=readonly -m -f '{{.Dir}}' k8s.io/kubernetes)
mkdir -p "$2/root"
for part in hack/lib hack/testdata test/cmd test/fixtures test/e2e/testing-manifests third_party/forked/shell2junit; do
  mkdir -p "$2/root/$(dirname "$part")"
  cp -R "$kubernetes/$part" "$2/root/$part"
done
chmod -R u+w "$2/root"
