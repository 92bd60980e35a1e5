// A manager as `kubebuilder init` and `kubebuilder create api` write it, with the custom resource definition installed by envtest's helper.
package main

import (
	"flag"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"workspace-sequencer/test/clients/go/manager/api"
	"workspace-sequencer/test/clients/go/manager/controller"
)

var (
	scheme   = runtime.NewScheme()
	setupLog = ctrl.Log.WithName("setup")
)

func init() {
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(api.AddToScheme(scheme))
}

func must(err error, what string) {
	if err != nil {
		setupLog.Error(err, what)
		os.Exit(1)
	}
}

func main() {
	crds := flag.String("crds", "", "the folder of the custom resource definitions to install")
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.UseDevMode(true)))
	config := ctrl.GetConfigOrDie()

	_, err := envtest.InstallCRDs(config, envtest.CRDInstallOptions{Paths: []string{*crds}, ErrorIfPathMissing: true})
	must(err, "unable to install the definitions")

	lease, renew, retry := 3*time.Second, 2*time.Second, 500*time.Millisecond
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                  scheme,
		Metrics:                 metricsserver.Options{BindAddress: "0"},
		HealthProbeBindAddress:  "0",
		LeaderElection:          true,
		LeaderElectionID:        "greetings.go.clients.example.com",
		LeaderElectionNamespace: "default",
		LeaseDuration:           &lease,
		RenewDeadline:           &renew,
		RetryPeriod:             &retry,
	})
	must(err, "unable to start manager")
	must((&controller.GreetingReconciler{
		Client:   mgr.GetClient(),
		Scheme:   mgr.GetScheme(),
		Recorder: mgr.GetEventRecorderFor("greeting-controller"),
	}).SetupWithManager(mgr), "unable to create controller")

	setupLog.Info("starting manager")
	must(mgr.Start(ctrl.SetupSignalHandler()), "problem running manager")
}
