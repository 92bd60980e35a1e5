/**
 * API for programs that host integrations, such as the sequencer: sessions of conditions, journals, mirrors, dry runs, shards. Integrations do not need it.
 *
 * @packageDocumentation
 */

export { defined } from '../api/defined.ts';
export {
  ClusterIntegrationConfig,
  configFinalizer,
  IntegrationConfig,
  integrationTypeLabel,
} from '../api/integration-config.ts';
export { isPlainObject } from '../api/json.ts';
export { statusGaps } from '../client/crds/crd-gaps.ts';
export { releaseAnnotation } from '../client/crds/crd-plan.ts';
export { objectPath } from '../client/http/paths.ts';
export { cutText, cutWithEllipsis, maxReasonLength } from '../cut-text.ts';
export { createInterrupt, type Interrupt, isInterruption } from '../operator/interrupt/interrupt.ts';
export { processTree, watchNpm } from '../operator/interrupt/npm-parent.ts';
export { checkedTimes } from '../operator/leader-election/leader-times.ts';
export { isRingName, ringLabel, shardLabelsOf, shardNameOf } from '../operator/sharding/shard-labels.ts';
export { createShardLeases, type ShardLeases } from '../operator/sharding/shard-leases.ts';
export { sharded } from '../operator/sharding/sharded.ts';
export { createSharder, type Sharder } from '../operator/sharding/sharder.ts';
export { wrongFieldsIn, wrongFieldsOf } from '../provider/contract/call-validate.ts';
export { checkedProvider, checkedResult, handlesOf } from '../provider/contract/check-integration-results.ts';
export { checkUniqueNamesResult, maxUniqueNames } from '../provider/contract/check-unique-names-result.ts';
export { type Endpoint, endpointOf } from '../provider/contract/egress-endpoint.ts';
export { type EffectivePolicy, effectivePolicyOf, withOrphanAdvice } from '../provider/contract/management-policy.ts';
export { parseOutputReference } from '../provider/contract/output-references.ts';
export { reasonWhyUndeclared, withoutEndedOutputs } from '../provider/contract/outputs.ts';
export { rulesOf } from '../provider/contract/permissions.ts';
export { mistakeInSettingsSchema, readBySchema, readSettings, type WrongField } from '../provider/contract/settings.ts';
export { unknownSpecMembers, unknownSpecMemberTexts } from '../provider/contract/unknown-spec-members.ts';
export type { InternalController } from '../provider/controller/create-controller.ts';
export { createDryRunController, type DryRunController, type DryRunResult } from '../provider/controller/dry-run.ts';
export { describeValue } from '../provider/describe-value.ts';
export {
  driftText,
  forbiddenChangesText,
  type PlannedChange,
  plannedChangeText,
} from '../provider/external/planned-change.ts';
export { newHolder, type ProviderHost, redactedMessage } from '../provider/host/host.ts';
export { loadSeal, readSeal, sealSecretName } from '../provider/host/load-seal.ts';
export { isServerRefusal, reportConditionUnwritten, reportingRefusal } from '../provider/host/report-refusals.ts';
export { createSeal, type Seal } from '../provider/host/seal.ts';
export { effectiveEntry, isCopiedEntry } from '../provider/journal/effective-entry.ts';
export { entryForNewClaim } from '../provider/journal/entry-for-new-claim.ts';
export { testVersion } from '../provider/journal/entry-patch.ts';
export { newerFormat, newerText } from '../provider/journal/journal-format.ts';
export { emptyEntry, outcomePatch } from '../provider/journal/journal-patch.ts';
export {
  decodeMirror,
  encodeMirror,
  mirrorAnnotationPattern,
  mirroredTypes,
} from '../provider/journal/mirror-encoding.ts';
export { isKeyOfUid, operationKey } from '../provider/journal/operation-key.ts';
export {
  isMirrored,
  type Mirror,
  newerFormatOf,
  readMirror,
  recordsWork,
} from '../provider/journal/read-mirror.ts';
export {
  isClaimedSince,
  isLocked,
  isOfOtherClaim,
  recordedClaim,
  recordsNothing,
} from '../provider/journal/recorded-claim.ts';
export {
  isResolutionTrusted,
  parseRefs,
  type Resolution,
  resolutionOf,
  resolutionText,
  resolvedWrite,
  signedResolution,
} from '../provider/journal/resolution.ts';
export type { Scope } from '../provider/journal/session.ts';
export { statusPatch } from '../provider/journal/status-patch.ts';
export { waitsForText } from '../provider/journal/waits-for-text.ts';
export { mirrorPatch, recordIdentity, removeMirror, testMirror } from '../provider/journal/write-mirror.ts';
export { ignoreRejection, mistakeError } from '../provider/value-mistakes.ts';
export { encodingsOf } from '../secret-encodings.ts';
export { suggestName } from '../suggest.ts';
