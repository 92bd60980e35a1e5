// client-go beneath its typed clients: metadata only, dynamic with server-side apply, retries, events, informers, waiting.
// Prints a line of JSON for each step; $KUBECONFIG says where, $PODS_RUN whether pods become Ready there.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	watchtools "k8s.io/client-go/tools/watch"
	"k8s.io/client-go/util/retry"
)

const namespace = "default"

var configMaps = corev1.SchemeGroupVersion.WithResource("configmaps")

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func said(step string, facts map[string]any) {
	facts["step"] = step
	fmt.Println(string(must(json.Marshal(facts))))
}

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"steps": "yes"}}, Data: data}
}

func eventually(ctx context.Context, holds func(context.Context) (bool, error)) {
	if err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, 30*time.Second, true, holds); err != nil {
		panic(err)
	}
}

// Metadata of ConfigMaps, by protobuf: what is heard of has no data.
func informOfMetadata(ctx context.Context, config *rest.Config, client kubernetes.Interface) {
	meta := must(metadata.NewForConfig(config))
	factory := metadatainformer.NewFilteredSharedInformerFactory(meta, 0, namespace, func(options *metav1.ListOptions) {
		options.LabelSelector = "steps=yes"
	})
	informer := factory.ForResource(configMaps).Informer()
	var mutex sync.Mutex
	heard := []string{}
	hear := func(what string, object any) {
		if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
			object = gone.Obj
		}
		mutex.Lock()
		defer mutex.Unlock()
		partial := object.(*metav1.PartialObjectMetadata)
		heard = append(heard, fmt.Sprintf("%s %s %s", what, partial.Name, partial.Annotations["seen"]))
	}
	must(informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { hear("add", object) },
		UpdateFunc: func(_, object any) { hear("update", object) },
		DeleteFunc: func(object any) { hear("delete", object) },
	}))
	maps := client.CoreV1().ConfigMaps(namespace)
	must(maps.Create(ctx, configMap("a", map[string]string{"big": "data"}), metav1.CreateOptions{}))
	stop, cancel := context.WithCancel(ctx)
	defer cancel()
	factory.Start(stop.Done())
	factory.WaitForCacheSync(ctx.Done())

	patch := []byte(`{"metadata":{"annotations":{"seen":"1"}}}`)
	must(meta.Resource(configMaps).Namespace(namespace).Patch(ctx, "a", types.MergePatchType, patch, metav1.PatchOptions{}))
	must(maps.Create(ctx, configMap("b", nil), metav1.CreateOptions{}))
	policy := metav1.DeletePropagationBackground
	if err := meta.Resource(configMaps).Namespace(namespace).DeleteCollection(
		ctx,
		metav1.DeleteOptions{PropagationPolicy: &policy},
		metav1.ListOptions{LabelSelector: "steps=yes"},
	); err != nil {
		panic(err)
	}
	eventually(ctx, func(context.Context) (bool, error) {
		mutex.Lock()
		defer mutex.Unlock()
		return len(heard) == 5, nil
	})
	slices.Sort(heard)
	said("metadata", map[string]any{"heard": heard})
}

func managersOf(object *unstructured.Unstructured) []string {
	managers := []string{}
	for _, one := range object.GetManagedFields() {
		managers = append(managers, fmt.Sprintf("%s %s", one.Manager, one.Operation))
	}
	slices.Sort(managers)
	return managers
}

// Two managers want the same field: a conflict that says so, then force, then what is left when one gives up.
func applyDynamically(ctx context.Context, config *rest.Config) {
	maps := must(dynamic.NewForConfig(config)).Resource(configMaps).Namespace(namespace)
	wanted := func(data map[string]any) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "applied"}, "data": data,
		}}
	}
	must(maps.Apply(ctx, "applied", wanted(map[string]any{"mine": "1", "ours": "1"}), metav1.ApplyOptions{FieldManager: "first"}))
	_, err := maps.Apply(ctx, "applied", wanted(map[string]any{"ours": "2"}), metav1.ApplyOptions{FieldManager: "second"})
	said("conflict", map[string]any{"is": apierrors.IsConflict(err), "message": err.Error()})
	forced := must(maps.Apply(ctx, "applied", wanted(map[string]any{"ours": "2"}), metav1.ApplyOptions{FieldManager: "second", Force: true}))
	said("forced", map[string]any{"data": forced.Object["data"], "managers": managersOf(forced)})
	left := must(maps.Apply(ctx, "applied", wanted(nil), metav1.ApplyOptions{FieldManager: "first"}))
	said("left", map[string]any{"data": left.Object["data"], "managers": managersOf(left)})
}

// Another writer is always faster, twice.
func retryOnConflict(ctx context.Context, client kubernetes.Interface) {
	maps := client.CoreV1().ConfigMaps(namespace)
	must(maps.Create(ctx, configMap("counted", nil), metav1.CreateOptions{}))
	attempts := 0
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		attempts++
		found := must(maps.Get(ctx, "counted", metav1.GetOptions{}))
		if attempts < 3 {
			faster := found.DeepCopy()
			faster.Data = map[string]string{"attempt": fmt.Sprint(attempts)}
			must(maps.Update(ctx, faster, metav1.UpdateOptions{}))
		}
		found.Data = map[string]string{"done": "yes"}
		_, err := maps.Update(ctx, found, metav1.UpdateOptions{})
		return err
	})
	found := must(maps.Get(ctx, "counted", metav1.GetOptions{}))
	said("retried", map[string]any{"attempts": attempts, "data": found.Data, "failed": err != nil})
}

// The same event is counted; similar ones are combined; the newer API makes a series of them.
func recordEvents(ctx context.Context, client kubernetes.Interface) {
	about := must(client.CoreV1().ConfigMaps(namespace).Get(ctx, "counted", metav1.GetOptions{}))
	broadcaster := record.NewBroadcaster()
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "steps"})
	for range 3 {
		recorder.Event(about, corev1.EventTypeNormal, "Same", "again and again")
	}
	for number := range 12 {
		recorder.Eventf(about, corev1.EventTypeWarning, "Similar", "number %02d", number)
	}
	about.APIVersion, about.Kind = "v1", "ConfigMap"
	newer := events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	defer newer.Shutdown()
	if err := newer.StartRecordingToSinkWithContext(ctx); err != nil {
		panic(err)
	}
	newRecorder := newer.NewRecorder(scheme.Scheme, "example.com/steps")
	for range 2 {
		newRecorder.Eventf(about, nil, corev1.EventTypeNormal, "Serial", "Testing", "in a series")
	}

	lines := []string{}
	eventually(ctx, func(ctx context.Context) (bool, error) {
		lines = lines[:0]
		selector := fields.OneTermEqualSelector("involvedObject.uid", string(about.UID)).String()
		for _, one := range must(client.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{FieldSelector: selector})).Items {
			count := one.Count
			if one.Series != nil {
				count = one.Series.Count
			}
			lines = append(lines, fmt.Sprintf("%s x%d: %s", one.Reason, count, one.Message))
		}
		slices.Sort(lines)
		return len(lines) == 12 && lines[0][:8] == "Same x3:" && lines[1][:10] == "Serial x2:" && lines[11][:11] == "Similar x3:", nil
	})
	said("events", map[string]any{"count": len(lines), "first": lines[:2], "last": lines[11]})
}

// A pod becomes Ready, as it is waited for with a list and a watch.
func waitForPod(ctx context.Context, client kubernetes.Interface) {
	pods := client.CoreV1().Pods(namespace)
	must(pods.Create(ctx, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "waited-for"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "example.test/main:1"}}},
	}, metav1.CreateOptions{}))
	selector := fields.OneTermEqualSelector("metadata.name", "waited-for")
	listWatch := cache.NewListWatchFromClient(client.CoreV1().RESTClient(), "pods", namespace, selector)
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	event := must(watchtools.UntilWithSync(ctx, listWatch, &corev1.Pod{}, nil, func(event watch.Event) (bool, error) {
		return slices.ContainsFunc(event.Object.(*corev1.Pod).Status.Conditions, func(one corev1.PodCondition) bool {
			return one.Type == corev1.PodReady && one.Status == corev1.ConditionTrue
		}), nil
	}))
	said("ready", map[string]any{"phase": event.Object.(*corev1.Pod).Status.Phase})
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	config := must(clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG")))
	typed := rest.CopyConfig(config)
	typed.AcceptContentTypes, typed.ContentType = "application/vnd.kubernetes.protobuf,application/json", "application/vnd.kubernetes.protobuf"
	client := must(kubernetes.NewForConfig(typed))

	informOfMetadata(ctx, config, client)
	applyDynamically(ctx, config)
	retryOnConflict(ctx, client)
	recordEvents(ctx, client)
	if os.Getenv("PODS_RUN") != "" {
		waitForPod(ctx, client)
	}
}
