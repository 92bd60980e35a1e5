/** Selection of Kubernetes' test/cmd functions. */

/** Functions of the suite that are not run here, and the reason. */
export interface CasesLeftOut {
  readonly cases: readonly string[];
  readonly why: string;
}

const words = (text: string): readonly string[] => text.split(/\s+/);

/**
 * Functions of Kubernetes' test/cmd to run, `run_NAME_tests` without its affixes: each row on a server of its own, and all rows at once, so
 * that one works while another waits.
 * `inline` is the part between the functions: existing resources, `auth can-i` and `auth reconcile`.
 */
export const rows: readonly (readonly string[])[] = [
  words(`save_config kubectl_results kubectl_local_proxy RESTMapper_evaluation clusterroles role assert_short_name
    assert_singular_name ambiguous_shortname explain_crd_with_additional_properties assert_categories
    kubectl_create_error kubectl_run kubectl_create_filter daemonset daemonset_history stateful_set
    statefulset_history rs`),
  words(`cluster_management kubectl_server_side_apply kubectl_events kubectl_exec_pod kubectl_exec_resource_name
    create_secret kubectl_create_kustomization_directory kubectl_create_validate kubectl_delete_allnamespaces
    kubectl_delete_interactive kubectl_debug_node kubectl_debug_general_node`),
  words(`kubectl_apply kubectl_get recursive_resources namespace secrets configmap service_accounts job create_job
    pod_templates service lists persistent_volumes persistent_volume_claims storage_class nodes
    kubectl_request_timeout kubectl_apply_deployments`),
  words(`crd deployment authorization retrieve_multiple resource_aliasing kubectl_explain crd_deletion_recreation
    kubectl_sort_by kubectl_all_namespace deprecated_api template_output certificates impersonation
    kubectl_auth_whoami rc inline`),
  words(
    `pod kubectl_diff kubectl_diff_same_names kubectl_debug_pod kubectl_debug_general kubectl_debug_custom_profile kubectl_debug_warning swagger`,
  ),
];

/** Functions left out. */
export const leftOut: readonly CasesLeftOut[] = [
  {
    cases: words(`kubectl_version kubectl_config_set kubectl_config_set_cluster kubectl_config_set_credentials
      kubectl_help convert client_config plugins kuberc`),
    why: 'they ask the server nothing, or its version alone',
  },
  {
    cases: words('exec_credentials exec_credentials_interactive'),
    why: 'they want a certification authority of a certain name, and end before a server is asked',
  },
  {
    cases: words(`kubectl_debug_baseline kubectl_debug_restricted kubectl_debug_netadmin kubectl_debug_baseline_node
      kubectl_debug_restricted_node kubectl_debug_netadmin_node`),
    why: 'more profiles of `kubectl debug`, which ask the server as the general one does',
  },
  { cases: ['wait'], why: 'measures seconds, which a busy machine does not keep' },
  { cases: ['multi_resources'], why: 'reads a file of GitHub' },
];
