// Package api has the Greeting, written by hand as kubebuilder would generate it.
// +groupName=go.clients.example.com
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

var (
	GroupVersion  = schema.GroupVersion{Group: "go.clients.example.com", Version: "v1"}
	SchemeBuilder = &scheme.Builder{GroupVersion: GroupVersion}
	AddToScheme   = SchemeBuilder.AddToScheme
)

func init() {
	SchemeBuilder.Register(&Greeting{}, &GreetingList{})
}

type GreetingSpec struct {
	// +kubebuilder:validation:MinLength=1
	Text string `json:"text"`
	// +kubebuilder:default=1
	Copies int32 `json:"copies,omitempty"`
}

type GreetingStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Said               string             `json:"said,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Greeting struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GreetingSpec   `json:"spec"`
	Status GreetingStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true
type GreetingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Greeting `json:"items"`
}

func (in *Greeting) DeepCopyInto(out *Greeting) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Conditions = nil
	for _, condition := range in.Status.Conditions {
		out.Status.Conditions = append(out.Status.Conditions, *condition.DeepCopy())
	}
}

func (in *Greeting) DeepCopy() *Greeting {
	out := &Greeting{}
	in.DeepCopyInto(out)
	return out
}

func (in *Greeting) DeepCopyObject() runtime.Object {
	return in.DeepCopy()
}

func (in *GreetingList) DeepCopyObject() runtime.Object {
	out := &GreetingList{TypeMeta: in.TypeMeta}
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	for i := range in.Items {
		out.Items = append(out.Items, Greeting{})
		in.Items[i].DeepCopyInto(&out.Items[i])
	}
	return out
}
