package greetings;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** An operator as the Java Operator SDK's documentation has it; $KUBECONFIG says which cluster it works on. */
public class Main {

  public static void main(String[] args) {
    // Both ways to speak HTTP are on the class path; programs usually have one of them.
    var http = System.getenv("VERTX") == null ? new JdkHttpClientFactory() : new VertxHttpClientFactory();
    var client = new KubernetesClientBuilder().withHttpClientFactory(http).build();
    define(client);

    var election =
        LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration("greetings.java.clients.example.com")
            .withLeaseNamespace("default")
            .withIdentity(UUID.randomUUID().toString())
            .withLeaseDuration(Duration.ofSeconds(6))
            .withRenewDeadline(Duration.ofSeconds(4))
            .withRetryPeriod(Duration.ofMillis(500))
            .build();
    var operator = new Operator(it -> it.withKubernetesClient(client).withLeaderElectionConfiguration(election));
    operator.register(new GreetingReconciler());
    operator.start();
  }

  private static void define(KubernetesClient client) {
    var file = "/META-INF/fabric8/greetings.java.clients.example.com-v1.yml";
    var definition = client.apiextensions().v1().customResourceDefinitions().load(Main.class.getResourceAsStream(file));
    definition.serverSideApply();
    definition.waitUntilCondition(Main::isEstablished, 10, TimeUnit.SECONDS);
  }

  private static boolean isEstablished(CustomResourceDefinition definition) {
    return definition != null
        && definition.getStatus() != null
        && definition.getStatus().getConditions().stream()
            .anyMatch(it -> it.getType().equals("Established") && it.getStatus().equals("True"));
  }
}
