// Seeds: the objects that a server creates at its start, besides those of RBAC.
package main

import (
	_ "unsafe" // for go:linkname

	flowcontrol "k8s.io/api/flowcontrol/v1"
	scheduling "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"
	_ "k8s.io/kubernetes/cmd/kube-apiserver/app" // has the priorities
	schedulingdefaults "k8s.io/kubernetes/pkg/apis/scheduling/v1"
	controlplaneapiserver "k8s.io/kubernetes/pkg/controlplane/apiserver"
)

// Seeds are the initial objects; APIServices by their names, with their priorities only.
type Seeds struct {
	FlowSchemas     []*flowcontrol.FlowSchema                 `json:"flowSchemas"`
	PriorityLevels  []*flowcontrol.PriorityLevelConfiguration `json:"priorityLevels"`
	PriorityClasses []*scheduling.PriorityClass               `json:"priorityClasses"`
	APIServices     map[string]Priorities                     `json:"apiServices"`
}

// Priorities are those of an APIService.
type Priorities struct {
	GroupPriorityMinimum int32 `json:"groupPriorityMinimum"`
	VersionPriority      int32 `json:"versionPriority"`
}

//go:linkname apiVersionPriorities k8s.io/kubernetes/cmd/kube-apiserver/app.apiVersionPriorities
var apiVersionPriorities map[schema.GroupVersion]controlplaneapiserver.APIServicePriority

func seeds(resources []Resource) Seeds {
	services := map[string]Priorities{}
	for _, resource := range resources {
		version := schema.GroupVersion{Group: resource.Group, Version: resource.Version}
		if priority, ok := apiVersionPriorities[version]; ok {
			services[version.Version+"."+version.Group] = Priorities{priority.Group, priority.Version}
		}
	}
	return Seeds{
		FlowSchemas:     append(bootstrap.MandatoryFlowSchemas, bootstrap.SuggestedFlowSchemas...),
		PriorityLevels:  append(bootstrap.MandatoryPriorityLevelConfigurations, bootstrap.SuggestedPriorityLevelConfigurations...),
		PriorityClasses: schedulingdefaults.SystemPriorityClasses(),
		APIServices:     services,
	}
}
