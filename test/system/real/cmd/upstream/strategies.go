// Strategies: what writes do besides validation.
package main

import (
	"reflect"
	"unsafe"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

// Strategy is what the strategy of a collection or of its status says and does.
type Strategy struct {
	UnconditionalUpdate bool `json:"unconditionalUpdate,omitempty"`
	CreateOnUpdate      bool `json:"createOnUpdate,omitempty"`
	// Generation is true when it is counted.
	Generation bool `json:"generation,omitempty"`
	// Metadata is true when an update may change it.
	Metadata bool `json:"metadata,omitempty"`
}

// storeOf returns the store of a storage; nil for one without.
func storeOf(storage rest.Storage) *registry.Store {
	if store, ok := storage.(*registry.Store); ok {
		return store
	}
	pointer := reflect.ValueOf(storage)
	if pointer.Kind() != reflect.Pointer || pointer.Elem().Kind() != reflect.Struct {
		return nil
	}
	for i := range pointer.Elem().NumField() {
		field := pointer.Elem().Field(i)
		if field.Type() == reflect.TypeFor[*registry.Store]() {
			return *(**registry.Store)(unsafe.Pointer(field.UnsafeAddr()))
		}
		if kind := pointer.Elem().Type().Field(i); kind.Anonymous && kind.IsExported() {
			if inner, ok := field.Interface().(rest.Storage); ok {
				return storeOf(inner)
			}
		}
	}
	return nil
}

// fill sets the pointers in a struct, for strategies that want what defaults have set.
func fill(value reflect.Value) {
	for i := range value.NumField() {
		field := value.Field(i)
		switch field.Kind() {
		case reflect.Struct:
			fill(field)
		case reflect.Pointer:
			if field.CanSet() && field.IsNil() {
				field.Set(reflect.New(field.Type().Elem()))
			}
		}
	}
}

// prepared returns an object for a strategy: empty, or with its spec and status filled.
func prepared(store *registry.Store, filled bool) runtime.Object {
	object := store.NewFunc()
	for _, part := range []string{"Spec", "Status"} {
		if value := reflect.ValueOf(object).Elem().FieldByName(part); filled && value.IsValid() && value.Kind() == reflect.Struct {
			fill(value)
		}
	}
	return object
}

// strategy returns what writes of a storage do; nil for one without a store.
func strategy(storage rest.Storage) *Strategy {
	store := storeOf(storage)
	if store == nil || store.UpdateStrategy == nil {
		return nil
	}
	ctx := request.WithRequestInfo(request.NewDefaultContext(), &request.RequestInfo{})
	created, former, updated := prepared(store, true), prepared(store, false), prepared(store, true)
	if store.CreateStrategy != nil {
		store.CreateStrategy.PrepareForCreate(ctx, created)
	}
	accessor := must(meta.Accessor(updated))
	accessor.SetFinalizers([]string{"example.com/updated"})
	store.UpdateStrategy.PrepareForUpdate(ctx, updated, former)
	return &Strategy{
		UnconditionalUpdate: store.UpdateStrategy.AllowUnconditionalUpdate(),
		CreateOnUpdate:      store.UpdateStrategy.AllowCreateOnUpdate(),
		Generation:          must(meta.Accessor(created)).GetGeneration() > 0 || accessor.GetGeneration() > 0,
		Metadata:            len(accessor.GetFinalizers()) > 0,
	}
}
