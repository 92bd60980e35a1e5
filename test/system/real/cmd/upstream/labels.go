// Labels: the field labels that field selectors of a kind may name.
package main

import (
	"reflect"
	"sort"
	"strings"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Labels that are no paths of fields.
var oldLabels = []string{"spec.host", "status.successful"}

// labelsOf returns the field labels of a kind besides metadata.name and metadata.namespace.
func labelsOf(scheme *runtime.Scheme, kind schema.GroupVersionKind) []string {
	known := []string{}
	object := reflect.TypeOf(must(scheme.New(kind))).Elem()
	for _, label := range append(pathsIn(object, 2), oldLabels...) {
		isCommon := label == "metadata.name" || label == "metadata.namespace"
		if _, _, err := scheme.ConvertFieldLabel(kind, label, ""); err == nil && !isCommon {
			known = append(known, label)
		}
	}
	sort.Strings(known)
	return known
}

// pathsIn returns the JSON paths of all fields of a struct, down to a depth; none of another type.
func pathsIn(t reflect.Type, depth int) []string {
	paths := []string{}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || depth == 0 {
		return paths
	}
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "" && field.Anonymous && field.Type != reflect.TypeFor[meta.TypeMeta]():
			paths = append(paths, pathsIn(field.Type, depth)...)
		case name != "" && name != "-":
			paths = append(paths, name)
			for _, path := range pathsIn(field.Type, depth-1) {
				paths = append(paths, name+"."+path)
			}
		}
	}
	return paths
}
