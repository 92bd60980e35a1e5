package greetings;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import java.time.Instant;

@Workflow(dependents = @Dependent(type = SaidConfigMap.class))
@ControllerConfiguration(finalizerName = "java.clients.example.com/farewell")
public class GreetingReconciler implements Reconciler<Greeting>, Cleaner<Greeting> {

  @Override
  public UpdateControl<Greeting> reconcile(Greeting greeting, Context<Greeting> context) {
    var said = context.getSecondaryResource(ConfigMap.class).orElseThrow().getData().get("said");
    if (greeting.getStatus() == null) tell(greeting, said, context);

    // What is patched is applied by the server: only what is ours.
    var ours = new Greeting();
    ours.setMetadata(
        new ObjectMetaBuilder()
            .withName(greeting.getMetadata().getName())
            .withNamespace(greeting.getMetadata().getNamespace())
            .build());
    var status = new Greeting.Status();
    status.said = said;
    status.observedGeneration = greeting.getMetadata().getGeneration();
    ours.setStatus(status);
    return UpdateControl.patchStatus(ours);
  }

  /** What has no owner stays, as a thing outside the cluster would. */
  @Override
  public DeleteControl cleanup(Greeting greeting, Context<Greeting> context) {
    var farewell =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(greeting.getMetadata().getName() + "-farewell")
            .withNamespace(greeting.getMetadata().getNamespace())
            .endMetadata()
            .build();
    context.getClient().resource(farewell).serverSideApply();
    return DeleteControl.defaultDelete();
  }

  private void tell(Greeting greeting, String said, Context<Greeting> context) {
    var event =
        new EventBuilder()
            .withNewMetadata()
            .withGenerateName(greeting.getMetadata().getName() + "-")
            .withNamespace(greeting.getMetadata().getNamespace())
            .endMetadata()
            .withInvolvedObject(
                new ObjectReferenceBuilder()
                    .withApiVersion(greeting.getApiVersion())
                    .withKind(greeting.getKind())
                    .withNamespace(greeting.getMetadata().getNamespace())
                    .withName(greeting.getMetadata().getName())
                    .withUid(greeting.getMetadata().getUid())
                    .build())
            .withType("Normal")
            .withReason("Greeted")
            .withMessage("said " + said)
            .withFirstTimestamp(Instant.now().toString())
            .withLastTimestamp(Instant.now().toString())
            .withNewSource()
            .withComponent("greetings")
            .endSource()
            .build();
    context.getClient().resource(event).create();
  }
}
