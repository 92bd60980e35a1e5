// Resources: what each REST storage says and does.
package main

import (
	"sort"
	"strings"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints"
	"k8s.io/apiserver/pkg/endpoints/deprecation"
	"k8s.io/apiserver/pkg/endpoints/discovery"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
)

// Resource is a collection or a subresource.
type Resource struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	// Path is the plural, and the subresource after a slash.
	Path                string                       `json:"path"`
	KindGroup           string                       `json:"kindGroup"`
	KindVersion         string                       `json:"kindVersion"`
	Kind                string                       `json:"kind"`
	Verbs               []string                     `json:"verbs"`
	Namespaced          bool                         `json:"namespaced,omitempty"`
	Singular            string                       `json:"singular,omitempty"`
	ShortNames          []string                     `json:"shortNames,omitempty"`
	Categories          []string                     `json:"categories,omitempty"`
	StorageVersionHash  string                       `json:"storageVersionHash,omitempty"`
	DeleteReturnsObject bool                         `json:"deleteReturnsObject,omitempty"`
	Strategy            *Strategy                    `json:"strategy,omitempty"`
	Deprecation         string                       `json:"deprecation,omitempty"`
	FieldLabels         []string                     `json:"fieldLabels,omitempty"`
	Columns             []meta.TableColumnDefinition `json:"columns,omitempty"`
}

// resources returns all that is served by default: groups in the order of discovery, paths in order.
func resources() []Resource {
	all := []Resource{}
	for _, info := range groupInfos() {
		for _, version := range info.PrioritizedVersions {
			storages := info.VersionedResourcesStorageMap[version.Version]
			paths := []string{}
			for path := range storages {
				paths = append(paths, path)
			}
			sort.Strings(paths)
			for _, path := range paths {
				all = append(all, resourceOf(info, version, path, storages[path]))
			}
		}
	}
	return all
}

func resourceOf(info genericapiserver.APIGroupInfo, version schema.GroupVersion, path string, storage rest.Storage) Resource {
	kind := must(endpoints.GetResourceKind(version, storage, info.Scheme))
	made := Resource{
		Group: version.Group, Version: version.Version, Path: path,
		KindGroup: kind.Group, KindVersion: kind.Version, Kind: kind.Kind,
		Verbs: verbs(storage), Strategy: strategy(storage),
	}
	if scoper, ok := storage.(rest.Scoper); ok {
		made.Namespaced = scoper.NamespaceScoped()
	}
	if strings.Contains(path, "/") {
		return made
	}
	if named, ok := storage.(rest.SingularNameProvider); ok {
		made.Singular = named.GetSingularName()
	}
	if named, ok := storage.(rest.ShortNamesProvider); ok {
		made.ShortNames = named.ShortNames()
	}
	if grouped, ok := storage.(rest.CategoriesProvider); ok {
		made.Categories = grouped.Categories()
	}
	if versioned, ok := storage.(rest.StorageVersionProvider); ok && versioned.StorageVersion() != nil {
		kinds, _, _ := info.Scheme.ObjectKinds(storage.New())
		stored, _ := versioned.StorageVersion().KindForGroupVersionKinds(kinds)
		made.StorageVersionHash = discovery.StorageVersionHash(stored.Group, stored.Version, stored.Kind)
	}
	if lister, ok := storage.(rest.Lister); ok {
		table := must(lister.ConvertToTable(request.NewDefaultContext(), lister.NewList(), &meta.TableOptions{}))
		made.Columns = table.ColumnDefinitions
	}
	object := must(info.Scheme.New(kind))
	object.GetObjectKind().SetGroupVersionKind(kind)
	made.Deprecation = deprecation.WarningMessage(object)
	made.FieldLabels = labelsOf(info.Scheme, kind)
	if returning, ok := storage.(rest.MayReturnFullObjectDeleter); ok {
		made.DeleteReturnsObject = returning.DeleteReturnsDeletedObject()
	}
	return made
}

// verbs returns the verbs of discovery, by the interfaces of a storage.
func verbs(storage rest.Storage) []string {
	found := map[string]bool{}
	_, found["create"] = storage.(rest.Creater)
	if _, ok := storage.(rest.NamedCreater); ok {
		found["create"] = true
	}
	_, found["get"] = storage.(rest.Getter)
	if _, ok := storage.(rest.GetterWithOptions); ok {
		found["get"] = true
	}
	_, found["list"] = storage.(rest.Lister)
	_, found["watch"] = storage.(rest.Watcher)
	_, found["update"] = storage.(rest.Updater)
	_, found["patch"] = storage.(rest.Patcher)
	_, found["delete"] = storage.(rest.GracefulDeleter)
	_, found["deletecollection"] = storage.(rest.CollectionDeleter)
	if connecter, ok := storage.(rest.Connecter); ok {
		methods := map[string]string{"GET": "get", "POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}
		for _, method := range connecter.ConnectMethods() {
			if verb := methods[method]; verb != "" {
				found[verb] = true
			}
		}
	}
	names := []string{}
	for verb, served := range found {
		if served {
			names = append(names, verb)
		}
	}
	sort.Strings(names)
	return names
}
