/** Defaults of `resource.k8s.io`, by type. */

import { type DefaultRule, withMissing, withoutFields } from '../../resources/defaulting.ts';

/** A device request defaults to one device. */
const request: DefaultRule = (value) => {
  const { allocationMode, count, ...others } = withoutFields('capacity')(value);
  const mode = allocationMode || 'ExactCount';
  const given = count === undefined || count === 0 ? {} : { count };
  const filled = mode === 'ExactCount' ? withMissing(given, { count: 1 }) : given;
  return { ...others, allocationMode: mode, ...filled };
};

/** Defaults of resource.k8s.io, by type; fields of disabled features are dropped. */
export const deviceDefaults: Readonly<Record<string, DefaultRule>> = {
  'resource.ExactDeviceRequest': request,
  'resource.DeviceSubRequest': request,
  'resource.AllocationResult': withoutFields('allocationTimestamp'),
  'resource.DeviceRequestAllocationResult': withoutFields(
    'bindingConditions',
    'bindingFailureConditions',
    'shareID',
    'consumedCapacity',
  ),
  'resource.AllocatedDeviceStatus': withoutFields('shareID'),
  'resource.DeviceClassSpec': withoutFields('extendedResourceName'),
  'resource.ResourceSliceSpec': withoutFields('perDeviceNodeSelection', 'sharedCounters'),
  'resource.DeviceCapacity': withoutFields('requestPolicy'),
  'resource.Device': withoutFields(
    'consumesCounters',
    'nodeName',
    'nodeSelector',
    'allNodes',
    'taints',
    'bindsToNode',
    'bindingConditions',
    'bindingFailureConditions',
    'allowMultipleAllocations',
  ),
};
