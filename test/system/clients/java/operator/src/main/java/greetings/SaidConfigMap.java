package greetings;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.BooleanWithUndefined;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import java.util.Map;

/** What a Greeting owns: the framework applies it, watches it, and leaves its deletion to the garbage collector. */
@KubernetesDependent(useSSA = BooleanWithUndefined.TRUE)
public class SaidConfigMap extends CRUDKubernetesDependentResource<ConfigMap, Greeting> {

  @Override
  protected ConfigMap desired(Greeting greeting, Context<Greeting> context) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(greeting.getMetadata().getName() + "-greeting")
        .withNamespace(greeting.getMetadata().getNamespace())
        .endMetadata()
        .withData(Map.of("said", greeting.said()))
        .build();
  }
}
