package greetings;

import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.extended.controller.reconciler.Reconciler;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import io.kubernetes.client.extended.event.EventType;
import io.kubernetes.client.extended.event.legacy.EventRecorder;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class GreetingReconciler implements Reconciler {
  private static final Logger log = LoggerFactory.getLogger(GreetingReconciler.class);
  private static final String FINALIZER = Greeting.GROUP + "/farewell";

  private final GenericKubernetesApi<Greeting, Greeting.Collection> greetings;
  private final Lister<Greeting> lister;
  private final CustomObjectsApi objects;
  private final CoreV1Api core;
  private final EventRecorder events;

  GreetingReconciler(
      GenericKubernetesApi<Greeting, Greeting.Collection> greetings,
      Lister<Greeting> lister,
      ApiClient client,
      EventRecorder events) {
    this.greetings = greetings;
    this.lister = lister;
    this.objects = new CustomObjectsApi(client);
    this.core = new CoreV1Api(client);
    this.events = events;
  }

  @Override
  public Result reconcile(Request request) {
    var greeting = lister.namespace(request.getNamespace()).get(request.getName());
    if (greeting == null) return new Result(false);
    try {
      if (greeting.getMetadata().getDeletionTimestamp() != null) farewell(greeting);
      else greet(greeting);
      return new Result(false);
    } catch (ApiException error) {
      log.info("{} {}", error.getCode(), error.getResponseBody());
      return new Result(true);
    }
  }

  private void greet(Greeting greeting) throws ApiException {
    var metadata = greeting.getMetadata();
    if (metadata.getFinalizers() == null || !metadata.getFinalizers().contains(FINALIZER)) {
      metadata.addFinalizersItem(FINALIZER);
      greetings.update(greeting).throwsApiException();
      return;
    }
    keepMap(greeting);
    var generation = metadata.getGeneration();
    if (greeting.status != null && generation.equals(greeting.status.observedGeneration)) return;
    var status = new Greeting.Status();
    status.said = greeting.said();
    status.observedGeneration = generation;
    // GenericKubernetesApi.updateStatus of 25.0.0 sends its JSON patch as application/json, which servers refuse.
    PatchUtils.patch(
        Greeting.class,
        () ->
            objects
                .patchNamespacedCustomObjectStatus(
                    Greeting.GROUP,
                    "v1",
                    metadata.getNamespace(),
                    "greetings",
                    metadata.getName(),
                    Map.of("status", status))
                .buildCall(null),
        V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH,
        objects.getApiClient());
    events.event(greeting, EventType.Normal, "Greeted", "said %s", status.said);
  }

  private void keepMap(Greeting greeting) throws ApiException {
    var metadata = greeting.getMetadata();
    var owner =
        new V1OwnerReference()
            .apiVersion(greeting.getApiVersion())
            .kind(greeting.getKind())
            .name(metadata.getName())
            .uid(metadata.getUid())
            .controller(true)
            .blockOwnerDeletion(true);
    var wanted =
        new V1ConfigMap()
            .metadata(
                new V1ObjectMeta()
                    .name(metadata.getName() + "-greeting")
                    .namespace(metadata.getNamespace())
                    .addOwnerReferencesItem(owner))
            .data(Map.of("said", greeting.said()));
    if (!create(wanted)) {
      core.replaceNamespacedConfigMap(wanted.getMetadata().getName(), metadata.getNamespace(), wanted).execute();
    }
  }

  /** What has no owner stays, as a thing outside the cluster would. */
  private void farewell(Greeting greeting) throws ApiException {
    var metadata = greeting.getMetadata();
    if (metadata.getFinalizers() == null || !metadata.getFinalizers().remove(FINALIZER)) return;
    create(
        new V1ConfigMap()
            .metadata(new V1ObjectMeta().name(metadata.getName() + "-farewell").namespace(metadata.getNamespace())));
    greetings.update(greeting).throwsApiException();
  }

  /** False when there is one already. */
  private boolean create(V1ConfigMap map) throws ApiException {
    try {
      core.createNamespacedConfigMap(map.getMetadata().getNamespace(), map).execute();
      return true;
    } catch (ApiException error) {
      if (error.getCode() == 409) return false;
      throw error;
    }
  }
}
