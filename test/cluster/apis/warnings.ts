import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Fields } from '../apimachinery/object.ts';
import { addressWarnings, rangeWarnings } from '../apimachinery/validation/address-rules.ts';
import { fieldsOf, listOf } from '../apimachinery/validation/checks.ts';
import { nanoOf } from '../apimachinery/validation/quantity-rules.ts';
import type { Written } from '../apimachinery/written.ts';
import { builtinKinds } from './built-in-kinds.ts';
import { expressionWarnings, oldLabels } from './core/old-labels.ts';

/** Returns warnings for an accepted object; `isNew` is true on creation. */
type Warn = (object: Fields, isNew: boolean) => Iterable<string>;

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : []);
const annotationsOf = ({ metadata }: Fields): Fields => fieldsOf(fieldsOf(metadata).annotations);

const hints = 'service.kubernetes.io/topology-aware-hints';

function* headlessWarnings({ loadBalancerIP, externalIPs }: Fields): Generator<string> {
  if (loadBalancerIP) yield 'spec.loadBalancerIP is ignored for headless services';
  if (textsOf(externalIPs).length > 0) yield 'spec.externalIPs is ignored for headless services';
  yield 'spec.SessionAffinity is ignored for headless services';
}

const service: Warn = function* (object) {
  const spec = fieldsOf(object.spec);
  const { type, clusterIP, clusterIPs, externalIPs, loadBalancerIP, loadBalancerSourceRanges, externalName } = spec;
  if (hints in annotationsOf(object)) {
    yield `annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`;
  }
  const isHeadless = clusterIP === 'None';
  const addresses = isHeadless ? [] : textsOf(clusterIPs);
  for (const [index, ip] of addresses.entries()) yield* addressWarnings(ip, `spec.clusterIPs[${index}]`);
  if (isHeadless && type === 'ClusterIP') yield* headlessWarnings(spec);
  for (const [index, ip] of textsOf(externalIPs).entries()) yield* addressWarnings(ip, `spec.externalIPs[${index}]`);
  if (loadBalancerIP) yield* addressWarnings(loadBalancerIP, 'spec.loadBalancerIP');
  for (const [index, range] of textsOf(loadBalancerSourceRanges).entries()) {
    yield* rangeWarnings(range, `spec.loadBalancerSourceRanges[${index}]`);
  }
  const isNamed = type === 'ExternalName';
  if (isNamed && textsOf(externalIPs).length > 0) yield 'spec.externalIPs is ignored when spec.type is "ExternalName"';
  if (!isNamed && externalName) yield 'spec.externalName is ignored when spec.type is not "ExternalName"';
};

function* balancerWarnings({ status }: Fields): Generator<string> {
  const { ingress } = fieldsOf(fieldsOf(status).loadBalancer);
  for (const [index, { ip }] of listOf(ingress).entries()) {
    if (ip) yield* addressWarnings(ip, `status.loadBalancer.ingress[${index}]`);
  }
}

const betaClass = 'volume.beta.kubernetes.io/storage-class';
const betaOptions = 'volume.beta.kubernetes.io/mount-options';
const useClass = 'deprecated since v1.8; use "storageClassName" attribute instead';
const billion = 10n ** 9n;

const claim: Warn = function* (object) {
  if (betaClass in annotationsOf(object)) yield `metadata.annotations[${betaClass}]: ${useClass}`;
  const resources = fieldsOf(fieldsOf(object.spec).resources);
  for (const list of ['requests', 'limits']) {
    const { storage } = fieldsOf(resources[list]);
    if (storage === undefined || nanoOf(storage) % billion === 0n) continue;
    yield `spec.resources.${list}[storage]: fractional byte value "${storage}" is invalid, must be an integer`;
  }
};

/** Volume sources that have no implementation any more. */
const oldSources: Readonly<Record<string, string>> = {
  cephfs: 'spec.cephfs: deprecated in v1.28, non-functional in v1.31+',
  photonPersistentDisk: 'spec.photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+',
  scaleIO: 'spec.scaleIO: deprecated in v1.16, non-functional in v1.22+',
  storageos: 'spec.storageOS: deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'spec.glusterfs: deprecated in v1.25, non-functional in v1.26+',
  rbd: 'spec.rbd: deprecated in v1.28, non-functional in v1.31+',
};

const volume: Warn = function* (object) {
  const [spec, notes] = [fieldsOf(object.spec), annotationsOf(object)];
  if (betaClass in notes) yield `metadata.annotations[${betaClass}]: ${useClass}`;
  if (betaOptions in notes) {
    yield `metadata.annotations[${betaOptions}]: deprecated since v1.31; use "mountOptions" attribute instead`;
  }
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    yield 'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  }
  const terms = listOf(fieldsOf(fieldsOf(spec.nodeAffinity).required).nodeSelectorTerms);
  for (const [index, { matchExpressions }] of terms.entries()) {
    const path = `spec.nodeAffinity.required.nodeSelectorTerms[${index}].matchExpressions`;
    yield* expressionWarnings(matchExpressions, path);
  }
  for (const [source, text] of Object.entries(oldSources)) if (spec[source] !== undefined) yield text;
};

const storageClass: Warn = function* ({ allowedTopologies }) {
  for (const [index, { matchLabelExpressions }] of listOf(allowedTopologies).entries()) {
    for (const [place, { key }] of listOf(matchLabelExpressions).entries()) {
      const old = oldLabels[String(key)];
      if (old !== undefined) yield `allowedTopologies[${index}].matchLabelExpressions[${place}].key: ${old}`;
    }
  }
};

const storageCapacity: Warn = function* ({ nodeTopology }) {
  const { matchExpressions, matchLabels } = fieldsOf(nodeTopology);
  yield* expressionWarnings(matchExpressions, 'nodeTopology.matchExpressions');
  for (const label of Object.keys(fieldsOf(matchLabels))) {
    if (label in oldLabels) yield `nodeTopology.matchLabels.${label}: ${oldLabels[label]}`;
  }
};

const runtimeClass: Warn = function* ({ scheduling }) {
  for (const key of Object.keys(fieldsOf(fieldsOf(scheduling).nodeSelector))) {
    if (key in oldLabels) yield `scheduling.nodeSelector: ${oldLabels[key]}`;
  }
};

const node: Warn = function* ({ spec }) {
  const { configSource, externalID, podCIDRs } = fieldsOf(spec);
  if (configSource !== undefined) yield 'spec.configSource: the feature is removed';
  if (externalID) yield 'spec.externalID: this field is deprecated, and is unused by Kubernetes';
  for (const [index, range] of textsOf(podCIDRs).entries()) yield* rangeWarnings(range, `spec.podCIDRs[${index}]`);
};

const ingressClass = 'kubernetes.io/ingress.class';

const ingress: Warn = function* (object, isNew) {
  if (isNew && ingressClass in annotationsOf(object) && fieldsOf(object.spec).ingressClassName === undefined) {
    yield `annotation "${ingressClass}" is deprecated, please use 'spec.ingressClassName' instead`;
  }
};

const networkPolicy: Warn = function* ({ spec: value }) {
  const spec = fieldsOf(value);
  for (const [way, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [index, rule] of listOf(spec[way]).entries()) {
      for (const [place, { ipBlock }] of listOf(rule[peers]).entries()) {
        if (ipBlock === undefined) continue;
        const path = `spec.${way}[${index}].${peers}[${place}].ipBlock`;
        yield* rangeWarnings(fieldsOf(ipBlock).cidr, `${path}.cidr`);
        const { except } = fieldsOf(ipBlock);
        for (const [at, range] of textsOf(except).entries()) yield* rangeWarnings(range, `${path}.except[${at}]`);
      }
    }
  }
};

const endpoints: Warn = function* ({ subsets }) {
  for (const [index, subset] of listOf(subsets).entries()) {
    for (const list of ['addresses', 'notReadyAddresses']) {
      for (const [place, { ip }] of listOf(subset[list]).entries()) {
        yield* addressWarnings(ip, `subsets[${index}].${list}[${place}].ip`);
      }
    }
  }
};

const endpointSlice: Warn = function* ({ addressType, endpoints: list }, isNew) {
  if (isNew && addressType === 'FQDN') yield 'spec.addressType: FQDN endpoints are deprecated';
  if (addressType === 'FQDN') return;
  for (const [index, { addresses }] of listOf(list).entries()) {
    for (const [place, address] of textsOf(addresses).entries()) {
      yield* addressWarnings(address, `endpoints[${index}].addresses[${place}]`);
    }
  }
};

const mountable = 'kubernetes.io/enforce-mountable-secrets';

const serviceAccount: Warn = function* (object, isNew) {
  if (!isNew || !(mountable in annotationsOf(object))) return;
  yield `metadata.annotations[${mountable}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`;
};

const pem = (what: string): RegExp => new RegExp(`-----BEGIN ${what}-----[\\s\\S]+-----END ${what}-----`);
const certificatePem = pem('CERTIFICATE');
const keyPem = pem('(?:\\w+ )?PRIVATE KEY');

const decoded = (data: unknown): string => Buffer.from(String(data ?? ''), 'base64').toString();

/** Returns the problem of a certificate and key pair; undefined without one. */
function pairProblem(certificate: string, key: string): string | undefined {
  if (!certificatePem.test(certificate)) return 'tls: failed to find any PEM data in certificate input';
  if (!keyPem.test(key)) return 'tls: failed to find any PEM data in key input';
  try {
    const isPair = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
    return isPair ? undefined : 'tls: private key does not match public key';
  } catch {
    return 'tls: failed to parse private key';
  }
}

const secret: Warn = function* ({ type, data }) {
  if (type !== 'kubernetes.io/tls') return;
  const { 'tls.crt': certificate, 'tls.key': key } = fieldsOf(data);
  const problem = pairProblem(decoded(certificate), decoded(key));
  if (problem !== undefined) yield problem;
};

const warners: Readonly<Record<string, Warn>> = {
  'core.Service': service,
  'core.PersistentVolumeClaim': claim,
  'core.PersistentVolume': volume,
  'core.Node': node,
  'core.Endpoints': endpoints,
  'core.Secret': secret,
  'core.ServiceAccount': serviceAccount,
  'storage.StorageClass': storageClass,
  'storage.CSIStorageCapacity': storageCapacity,
  'node.RuntimeClass': runtimeClass,
  'networking.Ingress': ingress,
  'networking.NetworkPolicy': networkPolicy,
  'discovery.EndpointSlice': endpointSlice,
};

/** Warnings of status updates, by type; other types have none. */
const statusWarners: Readonly<Record<string, Warn>> = {
  'core.Service': balancerWarnings,
  'networking.Ingress': balancerWarnings,
};

/** Returns the server's warnings for an accepted object of a type. */
export const warningsOf = (type: string, object: Fields, { former, part }: Written): readonly string[] => {
  const warn = (part === 'status' ? statusWarners : warners)[type];
  if (warn !== undefined) return [...warn(object, former === undefined)];
  const warnOfPods = part === undefined ? builtinKinds[type]?.warn : undefined;
  return warnOfPods === undefined ? [] : [...warnOfPods(object, former)];
};
