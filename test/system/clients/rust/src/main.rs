//! A controller as kube's documentation writes it: the definition comes from the type, applied by the server.
use std::{sync::Arc, time::Duration};

use futures::StreamExt;
use k8s_openapi::{
    api::core::v1::ConfigMap,
    apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
};
use kube::{
    Api, Client, CustomResource, CustomResourceExt, Resource, ResourceExt,
    api::{Patch, PatchParams, PostParams},
    runtime::{
        controller::{Action, Controller},
        events::{Event, EventType, Recorder, Reporter},
        finalizer::{Event as Finalizer, finalizer},
        wait::{await_condition, conditions},
        watcher,
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

const MANAGER: &str = "rust.clients.example.com";
const FINALIZER: &str = "rust.clients.example.com/farewell";

fn one() -> u32 {
    1
}

#[derive(CustomResource, Deserialize, Serialize, Clone, Debug, JsonSchema)]
#[kube(group = "rust.clients.example.com", version = "v1", kind = "Greeting", namespaced, status = "GreetingStatus")]
struct GreetingSpec {
    #[schemars(length(min = 1))]
    text: String,
    #[serde(default = "one")]
    copies: u32,
}

#[derive(Deserialize, Serialize, Clone, Debug, Default, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct GreetingStatus {
    observed_generation: Option<i64>,
    said: Option<String>,
}

#[derive(thiserror::Error, Debug)]
enum Error {
    #[error("kubernetes: {0}")]
    Kube(#[from] kube::Error),
    #[error("finalizer: {0}")]
    Finalizer(#[source] Box<kube::runtime::finalizer::Error<Error>>),
}

struct Context {
    client: Client,
    recorder: Recorder,
}

async fn reconcile(greeting: Arc<Greeting>, context: Arc<Context>) -> Result<Action, Error> {
    let namespace = greeting.namespace().unwrap_or_default();
    let greetings: Api<Greeting> = Api::namespaced(context.client.clone(), &namespace);
    finalizer(&greetings, FINALIZER, greeting, |event| async {
        match event {
            Finalizer::Apply(greeting) => greet(greeting, context.clone()).await,
            Finalizer::Cleanup(greeting) => farewell(greeting, context.clone()).await,
        }
    })
    .await
    .map_err(|error| Error::Finalizer(Box::new(error)))
}

async fn greet(greeting: Arc<Greeting>, context: Arc<Context>) -> Result<Action, Error> {
    let namespace = greeting.namespace().unwrap_or_default();
    let said = vec![greeting.spec.text.clone(); greeting.spec.copies as usize].join(" ");
    let apply = PatchParams::apply(MANAGER).force();
    let name = format!("{}-greeting", greeting.name_any());
    let owned = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": { "name": name, "ownerReferences": [greeting.controller_owner_ref(&()).unwrap()] },
        "data": { "said": said },
    });
    let maps: Api<ConfigMap> = Api::namespaced(context.client.clone(), &namespace);
    maps.patch(&name, &apply, &Patch::Apply(&owned)).await?;

    let event = Event {
        type_: EventType::Normal,
        reason: "Greeted".into(),
        note: Some(format!("said {said:?}")),
        action: "Greet".into(),
        secondary: None,
    };
    context.recorder.publish(&event, &greeting.object_ref(&())).await?;

    let status = json!({
        "apiVersion": Greeting::api_version(&()),
        "kind": Greeting::kind(&()),
        "status": { "said": said, "observedGeneration": greeting.metadata.generation },
    });
    let greetings: Api<Greeting> = Api::namespaced(context.client.clone(), &namespace);
    greetings.patch_status(&greeting.name_any(), &apply, &Patch::Apply(&status)).await?;
    Ok(Action::requeue(Duration::from_secs(300)))
}

/// What has no owner stays, as a thing outside the cluster would.
async fn farewell(greeting: Arc<Greeting>, context: Arc<Context>) -> Result<Action, Error> {
    let namespace = greeting.namespace().unwrap_or_default();
    let maps: Api<ConfigMap> = Api::namespaced(context.client.clone(), &namespace);
    let farewell = ConfigMap {
        metadata: kube::api::ObjectMeta { name: Some(format!("{}-farewell", greeting.name_any())), ..Default::default() },
        ..Default::default()
    };
    match maps.create(&PostParams::default(), &farewell).await {
        Err(kube::Error::Api(status)) if status.code == 409 => {}
        result => drop(result?),
    }
    Ok(Action::await_change())
}

fn error_policy(_: Arc<Greeting>, error: &Error, _: Arc<Context>) -> Action {
    eprintln!("reconcile failed: {error}");
    Action::requeue(Duration::from_secs(1))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::try_default().await?;

    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let crd = Greeting::crd();
    crds.patch(&crd.name_any(), &PatchParams::apply(MANAGER).force(), &Patch::Apply(&crd)).await?;
    let established = await_condition(crds, "greetings.rust.clients.example.com", conditions::is_crd_established());
    tokio::time::timeout(Duration::from_secs(10), established).await??;

    // Lists by pages and by a streaming watch are the same to a controller.
    let config = match std::env::var("STREAMING_LISTS").is_ok() {
        true => watcher::Config::default().streaming_lists(),
        false => watcher::Config::default(),
    };
    let recorder = Recorder::new(client.clone(), Reporter { controller: "greetings".into(), instance: None });
    let context = Arc::new(Context { client: client.clone(), recorder });
    println!("starting controller");
    Controller::new(Api::<Greeting>::all(client.clone()), config.clone())
        .owns(Api::<ConfigMap>::all(client), config)
        .shutdown_on_signal()
        .run(reconcile, error_policy, context)
        .for_each(|result| async move {
            match result {
                Ok((object, _)) => println!("reconciled {}", object.name),
                Err(error) => eprintln!("reconcile failed: {error:?}"),
            }
        })
        .await;
    Ok(())
}
