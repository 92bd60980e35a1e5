package greetings;

import io.kubernetes.client.extended.controller.LeaderElectingController;
import io.kubernetes.client.extended.controller.builder.ControllerBuilder;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.event.legacy.LegacyEventBroadcaster;
import io.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.kubernetes.client.extended.leaderelection.LeaderElector;
import io.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1EventSource;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A controller as ControllerExample and LeaderElectionExample of the official client have it; $KUBECONFIG says for which cluster. */
public class Main {

  public static void main(String[] args) throws Exception {
    var client = Config.defaultClient();
    var greetings =
        new GenericKubernetesApi<>(
            Greeting.class, Greeting.Collection.class, Greeting.GROUP, "v1", "greetings", client);
    var maps =
        new GenericKubernetesApi<>(V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);

    var factory = new SharedInformerFactory(client);
    var informer = factory.sharedIndexInformerFor(greetings, Greeting.class, 0);
    var mapInformer = factory.sharedIndexInformerFor(maps, V1ConfigMap.class, 0);

    var broadcaster = new LegacyEventBroadcaster(new CoreV1Api(client));
    broadcaster.startRecording();
    var recorder = broadcaster.newRecorder(new V1EventSource().host("localhost").component("greetings"));

    var controller =
        ControllerBuilder.defaultBuilder(factory)
            .watch(queue -> ControllerBuilder.controllerWatchBuilder(Greeting.class, queue).build())
            .watch(
                queue ->
                    ControllerBuilder.controllerWatchBuilder(V1ConfigMap.class, queue)
                        .withWorkQueueKeyFunc(Main::ownerOf)
                        .build())
            .withReconciler(new GreetingReconciler(greetings, new Lister<>(informer.getIndexer()), client, recorder))
            .withName("greetings")
            .withReadyFunc(() -> informer.hasSynced() && mapInformer.hasSynced())
            .build();
    var manager = ControllerBuilder.controllerManagerBuilder(factory).addController(controller).build();

    var lock = new LeaseLock("default", "greetings." + Greeting.GROUP, UUID.randomUUID().toString(), client);
    var election =
        new LeaderElectionConfig(lock, Duration.ofSeconds(6), Duration.ofSeconds(4), Duration.ofMillis(500));
    new LeaderElectingController(new LeaderElector(election), manager).run();
  }

  /** Requests for what has no owner find nothing, and rest. */
  private static Request ownerOf(V1ConfigMap map) {
    var owners = Optional.ofNullable(map.getMetadata().getOwnerReferences()).orElse(List.of());
    var name =
        owners.stream().filter(it -> it.getKind().equals("Greeting")).map(V1OwnerReference::getName).findFirst();
    return new Request(map.getMetadata().getNamespace(), name.orElse("nobody"));
  }
}
