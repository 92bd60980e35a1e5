// Roles: the default roles and bindings of a server with RBAC.
package main

import (
	rbac "k8s.io/api/rbac/v1"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"
)

// Roles are the default objects of RBAC. Namespaced ones are under their namespaces.
type Roles struct {
	ClusterRoles       []rbac.ClusterRole            `json:"clusterRoles"`
	ControllerRoles    []rbac.ClusterRole            `json:"controllerRoles"`
	Roles              map[string][]rbac.Role        `json:"roles"`
	ClusterBindings    []rbac.ClusterRoleBinding     `json:"clusterBindings"`
	ControllerBindings []rbac.ClusterRoleBinding     `json:"controllerBindings"`
	Bindings           map[string][]rbac.RoleBinding `json:"bindings"`
}

func roles() Roles {
	return Roles{
		ClusterRoles:       bootstrappolicy.ClusterRoles(),
		ControllerRoles:    bootstrappolicy.ControllerRoles(),
		Roles:              bootstrappolicy.NamespaceRoles(),
		ClusterBindings:    bootstrappolicy.ClusterRoleBindings(),
		ControllerBindings: bootstrappolicy.ControllerRoleBindings(),
		Bindings:           bootstrappolicy.NamespaceRoleBindings(),
	}
}
