// Storages: the REST storages of the API server, without a server and without etcd.
package main

import (
	"net"
	"net/url"
	"os"
	"time"

	"go.etcd.io/etcd/server/v3/embed"

	crds "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	oldcrds "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	crdserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	serveroptions "k8s.io/apiserver/pkg/server/options"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	compatibility "k8s.io/apiserver/pkg/util/compatibility"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	aggregator "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	aggregatorrest "k8s.io/kube-aggregator/pkg/registry/apiservice/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/controlplane"
	controlplaneapiserver "k8s.io/kubernetes/pkg/controlplane/apiserver"
	"k8s.io/kubernetes/pkg/controlplane/reconcilers"
	"k8s.io/kubernetes/pkg/kubeapiserver"
	"k8s.io/kubernetes/pkg/serviceaccount"
)

// options gives stores no storage, and tells them their version there.
type options struct {
	factory *serverstorage.DefaultStorageFactory
}

func (o options) GetRESTOptions(resource schema.GroupResource, example runtime.Object) (generic.RESTOptions, error) {
	none := func(*storagebackend.ConfigForResource, string, func(runtime.Object) (string, error), func() runtime.Object, func() runtime.Object, storage.AttrFunc, storage.IndexerFuncs, *cache.Indexers) (storage.Interface, factory.DestroyFunc, error) {
		return nil, func() {}, nil
	}
	config := &storagebackend.ConfigForResource{GroupResource: resource}
	switch resource.Group {
	case crds.GroupName:
		config.EncodeVersioner = oldcrds.SchemeGroupVersion
	case aggregator.GroupName:
		config.EncodeVersioner = aggregator.SchemeGroupVersion
	default:
		config = must(o.factory.NewConfig(resource, example))
	}
	return generic.RESTOptions{StorageConfig: config, Decorator: none, ResourcePrefix: resource.String()}, nil
}

// issuer stands for what issues tokens: without one, there is no resource for them.
type issuer struct{ serviceaccount.TokenGenerator }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// startEtcd starts an empty etcd: the allocator of node ports wants one at its start. Returns its URL and what removes its files.
func startEtcd() (string, func()) {
	config := embed.NewConfig()
	config.Dir = must(os.MkdirTemp("", "upstream-etcd"))
	config.LogLevel = "panic"
	loopback := must(url.Parse("http://127.0.0.1:0"))
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{*loopback}, []url.URL{*loopback}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{*loopback}, []url.URL{*loopback}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	etcd := must(embed.StartEtcd(config))
	<-etcd.Server.ReadyNotify()
	return "http://" + etcd.Clients[0].Addr().String(), func() { os.RemoveAll(config.Dir) }
}

// enabledGroups returns the groups and versions that are served by default.
func enabledGroups() *serverstorage.ResourceConfig {
	enabled := controlplane.DefaultAPIResourceConfigSource()
	enabled.EnableVersions(crds.SchemeGroupVersion, aggregator.SchemeGroupVersion)
	return enabled
}

// groupInfos returns the storages of all groups, in the order of discovery.
func groupInfos() []genericapiserver.APIGroupInfo {
	etcd, end := startEtcd()
	defer end()
	enabled := enabledGroups()
	client := &restclient.Config{Host: "http://127.0.0.1:1"}
	clientset := must(kubernetes.NewForConfig(client))
	etcdOptions := serveroptions.NewEtcdOptions(&storagebackend.Config{
		Transport: storagebackend.TransportConfig{ServerList: []string{etcd}},
	})
	storageConfig := kubeapiserver.NewStorageFactoryConfig()
	storageConfig.APIResourceConfig = enabled
	storageFactory := must(storageConfig.Complete(etcdOptions).New())
	options := options{storageFactory}
	generics := genericapiserver.NewConfig(legacyscheme.Codecs)
	generics.ExternalAddress = "127.0.0.1:1"
	generics.LoopbackClientConfig = client
	generics.EffectiveVersion = compatibility.DefaultBuildEffectiveVersion()
	generics.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
	generics.Authentication.APIAudiences = authenticator.Audiences{"api"}
	config := controlplane.Config{ControlPlane: controlplaneapiserver.Config{
		Generic: generics,
		Extra: controlplaneapiserver.Extra{
			StorageFactory:       storageFactory,
			VersionedInformers:   informers.NewSharedInformerFactory(clientset, time.Hour),
			ServiceAccountIssuer: issuer{},
		},
	}, Extra: controlplane.Extra{
		EndpointReconcilerConfig: controlplane.EndpointReconcilerConfig{
			Reconciler: reconcilers.NewNoneEndpointReconciler(),
		},
		ServiceIPRange:       net.IPNet{IP: net.IPv4(10, 0, 0, 0).To4(), Mask: net.CIDRMask(24, 32)},
		ServiceNodePortRange: utilnet.PortRange{Base: 30000, Size: 2768},
	}}
	infos := []genericapiserver.APIGroupInfo{}
	for _, provider := range must(config.Complete().StorageProviders(clientset)) {
		infos = append(infos, must(provider.NewRESTStorage(enabled, options)))
	}
	definitions := must(customresourcedefinition.NewREST(crdserver.Scheme, options))
	extensions := genericapiserver.NewDefaultAPIGroupInfo(
		crds.GroupName, crdserver.Scheme, meta.ParameterCodec, crdserver.Codecs)
	extensions.VersionedResourcesStorageMap["v1"] = map[string]rest.Storage{
		"customresourcedefinitions":        definitions,
		"customresourcedefinitions/status": customresourcedefinition.NewStatusREST(crdserver.Scheme, definitions),
	}
	return append(infos, extensions, aggregatorrest.NewRESTStorage(enabled, options, false))
}
