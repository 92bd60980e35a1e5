package greetings;

import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ListMeta;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.Collections;
import java.util.List;

/** A custom resource as the client's generic API takes it; the definition is installed by another program. */
public class Greeting implements KubernetesObject {
  static final String GROUP = "official.java.clients.example.com";

  private String apiVersion;
  private String kind;
  private V1ObjectMeta metadata;
  Spec spec;
  Status status;

  static class Spec {
    String text;
    int copies;
  }

  static class Status {
    String said;
    Long observedGeneration;
  }

  /** As the API server lists them. */
  public static class Collection implements KubernetesListObject {
    private String apiVersion;
    private String kind;
    private V1ListMeta metadata;
    private List<Greeting> items;

    @Override
    public String getApiVersion() {
      return apiVersion;
    }

    @Override
    public String getKind() {
      return kind;
    }

    @Override
    public V1ListMeta getMetadata() {
      return metadata;
    }

    @Override
    public List<Greeting> getItems() {
      return items;
    }
  }

  @Override
  public String getApiVersion() {
    return apiVersion;
  }

  public void setApiVersion(String apiVersion) {
    this.apiVersion = apiVersion;
  }

  @Override
  public String getKind() {
    return kind;
  }

  public void setKind(String kind) {
    this.kind = kind;
  }

  @Override
  public V1ObjectMeta getMetadata() {
    return metadata;
  }

  String said() {
    return String.join(" ", Collections.nCopies(spec.copies, spec.text));
  }
}
