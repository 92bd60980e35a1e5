#!/usr/bin/env bash
# build.sh OUTPUT: builds Gitea in its own module, since a module that requires it would have to repeat its replacements, and copies what it reads at run time.
set -euo pipefail
go mod download code.gitea.io/gitea
source=$(go list -mod=readonly -m -f '{{.Dir}}' code.gitea.io/gitea)
go build -C "$source" -mod=readonly -trimpath -buildvcs=false -ldflags '-s -w' -tags 'sqlite sqlite_unlock_notify' -o "$1/gitea" .
cp -R "$source"/{options,templates,public} "$1"
chmod -R u+w "$1"
