#!/usr/bin/env bash
# battery.sh PROGRAMS KUBECONFIG CASE...: runs run_CASE_tests of Kubernetes' test/cmd for each case, as hack/make-rules/test-cmd.sh does, but against a server that runs.
# PROGRAMS is what the recipe has built; the case `inline` is what the battery asks between its functions. Says `@@ ok CASE` or `@@ failed CASE` after each.
set -o errexit -o nounset -o pipefail
programs=$1 kubeconfig=$2
shift 2
export TERM=xterm LANG=C HOME
HOME=$(mktemp -d)
export TMPDIR=$HOME
unset KUBECONFIG
trap 'rm -rf "$HOME"' EXIT
of_kubeconfig() { sed -n "s/^ *$1: //p" "$kubeconfig" | head -1; }
server=$(of_kubeconfig server)
token=$(of_kubeconfig token)
of_kubeconfig certificate-authority-data | base64 --decode >"$TMPDIR/apiserver.crt"

# Their administrator's token, and an address out of this server's range.
cp -R "$programs/root" "$HOME/root"
cd "$HOME/root"
grep -rlE 'admin-token|10\.0\.0\.12' test hack | xargs sed -i "s/admin-token/$token/g; s/10\.0\.0\.12/10.96.0.12/g"
mkdir -p _output/bin
ln -s "$programs/kubectl" _output/bin/kubectl

SECURE_API_PORT=${server##*:}
source hack/lib/init.sh
source hack/lib/test.sh
source test/cmd/legacy-script.sh >/dev/null 2>&1
KUBE_TEMP=$TMPDIR
kube::util::ensure-gnu-sed
CONTEXT=test
{
  kubectl config set-credentials test-admin --token "$token"
  kubectl config set-cluster local --insecure-skip-tls-verify --server "$server"
  kubectl config set-context "$CONTEXT" --user test-admin --cluster local
  kubectl config use-context "$CONTEXT"
} >/dev/null

# Their server allows all users everything, and has one node, without a kubelet.
kubectl create clusterrolebinding everybody --clusterrole=cluster-admin \
  --group=system:authenticated --group=system:unauthenticated --group=the-group
kubectl create -f - <<'NODE'
{"kind": "Node", "apiVersion": "v1", "metadata": {"name": "127.0.0.1", "annotations": {"save-managers": "true"}}, "status": {"capacity": {"memory": "1Gi"}}}
NODE

function_of() {
  local name
  for name in "run_$1_tests" "run_$1_test" "run_$1"; do
    if declare -F "$name" >/dev/null; then echo "$name" && return; fi
  done
}

record_command() {
  local code=0 case=${1#run_}
  case=${case%_tests}
  create_and_use_new_namespace >/dev/null
  set +o nounset +o errexit
  (trap stop-proxy EXIT && "$(function_of "$case")") </dev/null 2>&1
  code=$?
  set -o nounset -o errexit
  if [[ $code = 0 ]]; then echo "@@ ok $case"; else echo "@@ failed $case"; fi
}

export SUPPORTED_RESOURCES=("*") ALLOW_SKEW=1
functions=${*/#inline/}
[[ -z ${functions// /} ]] || WHAT=$functions runTests
if [[ " $* " = *' inline '* ]]; then
  record_command() { :; }
  WHAT='' runTests
  echo '@@ ok inline'
fi
