// Package controller reconciles Greetings, in the form that the Kubebuilder book teaches.
package controller

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	"workspace-sequencer/test/clients/go/manager/api"
)

const finalizer = "go.clients.example.com/farewell"

type GreetingReconciler struct {
	client.Client
	Scheme   *runtime.Scheme
	Recorder record.EventRecorder
}

func (r *GreetingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	log := logf.FromContext(ctx)
	var greeting api.Greeting
	if err := r.Get(ctx, req.NamespacedName, &greeting); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !greeting.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.finalize(ctx, &greeting)
	}
	if controllerutil.AddFinalizer(&greeting, finalizer) {
		if err := r.Update(ctx, &greeting); err != nil {
			return ctrl.Result{}, err
		}
	}

	said := strings.TrimSpace(strings.Repeat(greeting.Spec.Text+" ", int(greeting.Spec.Copies)))
	owned := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: greeting.Name + "-greeting", Namespace: greeting.Namespace}}
	result, err := controllerutil.CreateOrUpdate(ctx, r.Client, owned, func() error {
		owned.Data = map[string]string{"said": said}
		return ctrl.SetControllerReference(&greeting, owned, r.Scheme)
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if result != controllerutil.OperationResultNone {
		log.Info("ConfigMap", "result", result)
		r.Recorder.Eventf(&greeting, corev1.EventTypeNormal, "Greeted", "said %q", said)
	}

	greeting.Status.Said = said
	greeting.Status.ObservedGeneration = greeting.Generation
	meta.SetStatusCondition(&greeting.Status.Conditions, metav1.Condition{
		Type: "Ready", Status: metav1.ConditionTrue, Reason: "Greeted", Message: said, ObservedGeneration: greeting.Generation,
	})
	return ctrl.Result{}, r.Status().Update(ctx, &greeting)
}

// The farewell is what has no owner: it stays, as a thing outside the cluster would.
func (r *GreetingReconciler) finalize(ctx context.Context, greeting *api.Greeting) error {
	if !controllerutil.ContainsFinalizer(greeting, finalizer) {
		return nil
	}
	farewell := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: greeting.Name + "-farewell", Namespace: greeting.Namespace}}
	if err := client.IgnoreAlreadyExists(r.Create(ctx, farewell)); err != nil {
		return err
	}
	patch := client.MergeFrom(greeting.DeepCopy())
	controllerutil.RemoveFinalizer(greeting, finalizer)
	return r.Patch(ctx, greeting, patch)
}

func (r *GreetingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&api.Greeting{}).Owns(&corev1.ConfigMap{}).Complete(r)
}
