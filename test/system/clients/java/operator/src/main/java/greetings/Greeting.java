package greetings;

import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** Its definition is generated from this class by crd-generator-maven-plugin. */
@Group("java.clients.example.com")
@Version("v1")
public class Greeting extends CustomResource<Greeting.Spec, Greeting.Status> implements Namespaced {

  public static class Spec {
    @Required public String text;

    @Default("1")
    public Integer copies;
  }

  public static class Status {
    @PrinterColumn(name = "Said")
    public String said;

    public Long observedGeneration;
  }

  String said() {
    return String.join(" ", java.util.Collections.nCopies(getSpec().copies, getSpec().text));
  }
}
