// Forms: the internal structs, which messages show.
package main

import (
	"reflect"
	"strings"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// Form is the internal struct of a published type.
type Form struct {
	// Package and Name are those of the published type.
	Package string      `json:"package"`
	Name    string      `json:"name"`
	Fields  []FormField `json:"fields"`
}

// FormField is a field of an internal struct.
type FormField struct {
	// Name is the field's name in JSON; empty where the published type has no such field.
	Name string `json:"name,omitempty"`
	// Go is its name in the internal struct.
	Go string `json:"go"`
}

type former struct {
	seen  map[reflect.Type]bool
	forms []Form
}

// forms returns the internal structs of all kinds that are stored, and of their parts.
func forms(resources []Resource) []Form {
	f := former{seen: map[reflect.Type]bool{}, forms: []Form{}}
	for _, resource := range resources {
		kind := schema.GroupVersionKind{Group: resource.KindGroup, Version: resource.KindVersion, Kind: resource.Kind}
		internal := kind.GroupKind().WithVersion(runtime.APIVersionInternal)
		isBody := strings.HasSuffix(kind.Kind, "Options")
		if !isBody && legacyscheme.Scheme.Recognizes(kind) && legacyscheme.Scheme.Recognizes(internal) {
			f.add(structOf(kind), structOf(internal))
		}
	}
	return f.forms
}

func structOf(kind schema.GroupVersionKind) reflect.Type {
	return reflect.TypeOf(must(legacyscheme.Scheme.New(kind))).Elem()
}

// add compares a published struct with its internal one, field by field, and goes on with the structs in them.
func (f *former) add(published, internal reflect.Type) {
	if f.seen[published] || published.PkgPath() == internal.PkgPath() {
		return
	}
	f.seen[published] = true
	byGo := map[string]reflect.StructField{}
	embedded := map[string]bool{}
	for _, field := range flat(published, embedded) {
		byGo[field.Name] = field
	}
	for i := range published.NumField() {
		part := published.Field(i)
		if same, ok := internal.FieldByName(part.Name); ok && part.Anonymous && same.Anonymous {
			f.add(part.Type, same.Type)
		}
	}
	made := Form{Package: published.PkgPath(), Name: published.Name(), Fields: []FormField{}}
	for _, field := range flat(internal, embedded) {
		same, isPublished := byGo[field.Name]
		name, _, _ := strings.Cut(same.Tag.Get("json"), ",")
		made.Fields = append(made.Fields, FormField{Name: name, Go: field.Name})
		if one, other := innerOf(same.Type), innerOf(field.Type); isPublished && one != nil && other != nil {
			f.add(one, other)
		}
	}
	f.forms = append(f.forms, made)
}

// flat returns the fields of a struct, those of embedded structs in their place; metadata is one field. It adds the
// names of embedded structs to those that are known, whose fields are returned although they are not embedded here.
func flat(t reflect.Type, embedded map[string]bool) []reflect.StructField {
	fields := []reflect.StructField{}
	for i := range t.NumField() {
		field := t.Field(i)
		switch {
		case field.Type == reflect.TypeFor[meta.TypeMeta]() || !field.IsExported():
		case embedded[field.Name] || field.Anonymous && field.Type.PkgPath() != reflect.TypeFor[meta.ObjectMeta]().PkgPath():
			embedded[field.Name] = true
			fields = append(fields, flat(field.Type, embedded)...)
		default:
			fields = append(fields, field)
		}
	}
	return fields
}

// innerOf returns the struct that a type is, points to or holds; nil where there is none.
func innerOf(t reflect.Type) reflect.Type {
	for t != nil {
		switch t.Kind() {
		case reflect.Struct:
			return t
		case reflect.Pointer, reflect.Slice, reflect.Map:
			t = t.Elem()
		default:
			return nil
		}
	}
	return nil
}
