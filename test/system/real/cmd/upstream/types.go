// Types: the fields of each, by reflection and from the generated OpenAPI definitions.
package main

import (
	"reflect"
	"sort"
	"strings"

	discovery "k8s.io/api/apidiscovery/v2"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	aggregator "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	aggregatorapi "k8s.io/kube-aggregator/pkg/generated/openapi"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/util"
	"k8s.io/kube-openapi/pkg/validation/spec"
	kubernetesapi "k8s.io/kubernetes/pkg/generated/openapi"
)

// Value is the type of a field's value.
type Value struct {
	// Is is a scalar's name, list, map or struct.
	Is string `json:"is"`
	// Go is the type's name in Go, with the last segment of its package, where it has a name of its own.
	Go string `json:"go,omitempty"`
	// Package is the path of the named type's Go package.
	Package string `json:"package,omitempty"`
	Key     *Value `json:"key,omitempty"`
	Of      *Value `json:"of,omitempty"`
	Enum    []any  `json:"enum,omitempty"`
}

// Field is a field of a type, with the fields of embedded structs in their place.
type Field struct {
	Name string `json:"name"`
	// Go is the field's name in Go.
	Go            string   `json:"go"`
	Protobuf      string   `json:"protobuf,omitempty"`
	Type          *Value   `json:"type"`
	Required      bool     `json:"required,omitempty"`
	Pointer       bool     `json:"pointer,omitempty"`
	OmitEmpty     bool     `json:"omitEmpty,omitempty"`
	OmitZero      bool     `json:"omitZero,omitempty"`
	PatchStrategy []string `json:"patchStrategy,omitempty"`
	MergeKey      string   `json:"mergeKey,omitempty"`
	Atomic        bool     `json:"atomic,omitempty"`
	Set           bool     `json:"set,omitempty"`
	MapKeys       []string `json:"mapKeys,omitempty"`
	Granular      bool     `json:"granular,omitempty"`
	Default       any      `json:"default,omitempty"`
	ZeroDefault   bool     `json:"zeroDefault,omitempty"`
}

// Type is a struct that is a built-in kind or a part of one.
type Type struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	// Page is true for answers that are not stored.
	Page   bool    `json:"page,omitempty"`
	Object bool    `json:"object,omitempty"`
	Atomic bool    `json:"atomic,omitempty"`
	Fields []Field `json:"fields"`
}

// Structs that are scalars in JSON.
var scalars = map[reflect.Type]string{
	reflect.TypeFor[resource.Quantity]():                          "quantity",
	reflect.TypeFor[meta.Time]():                                  "time",
	reflect.TypeFor[meta.MicroTime]():                             "microTime",
	reflect.TypeFor[intstr.IntOrString]():                         "intOrString",
	reflect.TypeFor[[]byte]():                                     "bytes",
	reflect.TypeFor[meta.FieldsV1]():                              "any",
	reflect.TypeFor[runtime.RawExtension]():                       "any",
	reflect.TypeFor[apiextensions.JSON]():                         "any",
	reflect.TypeFor[apiextensions.JSONSchemaPropsOrBool]():        "schemaOrBool",
	reflect.TypeFor[apiextensions.JSONSchemaPropsOrArray]():       "schemaOrArray",
	reflect.TypeFor[apiextensions.JSONSchemaPropsOrStringArray](): "schemaOrStrings",
}

var kinds = map[reflect.Kind]string{
	reflect.String: "string", reflect.Int32: "int32", reflect.Int64: "int64", reflect.Bool: "bool", reflect.Float64: "double",
}

// Bodies and answers that are no kinds of a group.
var others = []any{meta.DeleteOptions{}, meta.Status{}, meta.ListMeta{}}

// Answers that are not stored.
var pages = []any{
	meta.APIGroupList{}, meta.APIResourceList{}, meta.APIVersions{}, meta.WatchEvent{},
	meta.PartialObjectMetadataList{}, discovery.APIGroupDiscoveryList{},
}

type collector struct {
	page        bool
	definitions map[string]common.OpenAPIDefinition
	found       map[reflect.Type]*Type
}

// types returns the types of all kinds that are served by default, and of their parts.
func types(resources []Resource) []*Type {
	for _, add := range []func(*runtime.Scheme) error{apiextensions.AddToScheme, aggregator.AddToScheme} {
		if err := add(scheme.Scheme); err != nil {
			panic(err)
		}
	}
	ref := func(path string) spec.Ref { return spec.MustCreateRef(path) }
	c := collector{false, kubernetesapi.GetOpenAPIDefinitions(ref), map[reflect.Type]*Type{}}
	for name, definition := range aggregatorapi.GetOpenAPIDefinitions(ref) {
		c.definitions[name] = definition
	}
	for _, resource := range resources {
		kind := schema.GroupVersionKind{Group: resource.KindGroup, Version: resource.KindVersion, Kind: resource.Kind}
		if !strings.HasSuffix(kind.Kind, "Options") {
			c.collect(reflect.TypeOf(must(scheme.Scheme.New(kind))).Elem())
		}
	}
	for _, other := range others {
		c.collect(reflect.TypeOf(other))
	}
	c.page = true
	for _, page := range pages {
		c.collect(reflect.TypeOf(page))
	}
	all := []*Type{}
	for _, t := range c.found {
		all = append(all, t)
	}
	sort.Slice(all, func(i, j int) bool {
		return all[i].Package+"."+all[i].Name < all[j].Package+"."+all[j].Name
	})
	return all
}

func (c *collector) collect(t reflect.Type) {
	if c.found[t] != nil {
		return
	}
	made := &Type{Package: t.PkgPath(), Name: t.Name(), Page: c.page, Fields: []Field{}}
	c.found[t] = made
	name := util.GetCanonicalTypeName(reflect.New(t).Interface())
	found, ok := c.definitions[name]
	if !ok {
		panic("no OpenAPI definition of " + name)
	}
	definition := found.Schema
	made.Atomic = definition.Extensions["x-kubernetes-map-type"] == "atomic"
	c.addFields(made, t, definition, "")
}

func (c *collector) addFields(made *Type, t reflect.Type, definition spec.Schema, prefix string) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		protobuf := field.Tag.Get("protobuf")
		number := ""
		if parts := strings.Split(protobuf, ","); len(parts) > 1 {
			number = parts[1]
		}
		switch {
		case field.Type == reflect.TypeFor[meta.TypeMeta]():
			made.Object = true
			continue
		case field.Anonymous && name == "":
			c.addFields(made, field.Type, definition, prefix+number+".")
			continue
		case !field.IsExported() || name == "-":
			continue
		}
		made.Fields = append(made.Fields, c.field(field, name, options, prefix+number, definition))
	}
}

func (c *collector) field(field reflect.StructField, name, options, number string, definition spec.Schema) Field {
	property := definition.Properties[name]
	made := Field{Name: name, Go: field.Name, Protobuf: number, MergeKey: field.Tag.Get("patchMergeKey")}
	t := field.Type
	if t.Kind() == reflect.Pointer {
		made.Pointer = true
		t = t.Elem()
	}
	made.Type = c.value(t, &property)
	if _, isMessage := reflect.PointerTo(t).MethodByName("Marshal"); isMessage && made.Type.Is == "list" {
		made.Protobuf += ".1"
	}
	for _, option := range strings.Split(options, ",") {
		made.OmitEmpty = made.OmitEmpty || option == "omitempty"
		made.OmitZero = made.OmitZero || option == "omitzero"
	}
	for _, required := range definition.Required {
		made.Required = made.Required || required == name
	}
	if strategy := field.Tag.Get("patchStrategy"); strategy != "" {
		made.PatchStrategy = strings.Split(strategy, ",")
	}
	listType := property.Extensions["x-kubernetes-list-type"]
	made.Atomic = listType == "atomic" || property.Extensions["x-kubernetes-map-type"] == "atomic"
	made.Set = listType == "set"
	if keys, ok := property.Extensions["x-kubernetes-list-map-keys"].([]any); ok && listType == "map" {
		for _, key := range keys {
			made.MapKeys = append(made.MapKeys, key.(string))
		}
	}
	made.Granular = property.Extensions["x-kubernetes-map-type"] == "granular"
	if value := reflect.ValueOf(property.Default); value.IsValid() && value.Kind() != reflect.Map {
		if made.ZeroDefault = value.IsZero(); !made.ZeroDefault {
			made.Default = property.Default
		}
	}
	return made
}

// value describes a type; a named one that is no struct has its name.
func (c *collector) value(t reflect.Type, schema *spec.Schema) *Value {
	made := &Value{}
	if schema != nil {
		made.Enum = schema.Enum
	}
	if t.PkgPath() != "" {
		made.Go, made.Package = t.Name(), t.PkgPath()
	}
	if is, ok := scalars[t]; ok {
		return &Value{Is: is}
	}
	switch t.Kind() {
	case reflect.Slice:
		made.Is, made.Of = "list", c.value(elementOf(t), itemsOf(schema))
	case reflect.Map:
		made.Is, made.Key, made.Of = "map", c.value(t.Key(), nil), c.value(elementOf(t), membersOf(schema))
	case reflect.Struct:
		made.Is = "struct"
		c.collect(t)
	default:
		made.Is = kinds[t.Kind()]
		if made.Is == "" {
			panic("no notation for " + t.String())
		}
	}
	return made
}

func elementOf(t reflect.Type) reflect.Type {
	if t.Elem().Kind() == reflect.Pointer {
		return t.Elem().Elem()
	}
	return t.Elem()
}

func itemsOf(schema *spec.Schema) *spec.Schema {
	if schema == nil || schema.Items == nil {
		return nil
	}
	return schema.Items.Schema
}

func membersOf(schema *spec.Schema) *spec.Schema {
	if schema == nil || schema.AdditionalProperties == nil {
		return nil
	}
	return schema.AdditionalProperties.Schema
}
