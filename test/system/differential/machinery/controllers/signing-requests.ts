import type { Step } from '../../runner/scenario.ts';

/**
 * Requests, in base64 of PEM: of a user; of a node, with nothing else, a host, or an e-mail address besides; with a host alone; and of a
 * node with another name.
 */
const requests = {
  user: 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIWU1JR0FBZ0VBTUI0eERUQUxCZ05WQkFvTUJHUmxkbk14RFRBTEJnTlZCQU1NQkdwaGJtVXdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVJGRUp2TStvZFl1T0dsMFU4T2NBaUk0R1p3ZEtsclJHOTJoL3F3CnRMRklXVnpQL29SVEJSQmZUUzhLczhIYnQzUEtOMzBmdXhIR2NvMDB6WWRFMGxZc29BQXdDZ1lJS29aSXpqMEUKQXdJRFJ3QXdSQUlnVVRIbkg5dDVCRk5HbTRMNXpGdzczdFJ1NHVsYXJGY3RBT2J2STQ5SzltQUNJSDFwSUdNeAozQTBRQTU2aWVIWHluS2FCQnBUQjR6d2FlcVBLWFFwOS9vb2EKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==',
  node: 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIcU1JR1JBZ0VBTUM4eEZUQVRCZ05WQkFvTURITjVjM1JsYlRwdWIyUmxjekVXTUJRR0ExVUVBd3dOYzNsegpkR1Z0T201dlpHVTZZVEJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSEEwSUFCQWhCbTJGYmF4eVZWaEgxCm1vSk1RY1I5U1VEanVPajdVWGkrUmtKR3ZCYWhveDlNa1EzaE4zbG9rRFJZUVN4OXVuLzJjbWlmQ2MxSkFBUEMKTEYwU2Q2cWdBREFLQmdncWhrak9QUVFEQWdOSUFEQkZBaUEwcFJsSmlHRGk4akhPeTJTclRxcTUvemlBQ1pTVworWXNTTlM3UHFuTVRYZ0loQU9vTCsvVWVlOFRQQVlBRm43VGVKTWZVbzY2U2pjQ3p1SkN1Wkx3anNrWWEKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==',
  host: 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQkZqQ0J2QUlCQURBdk1SVXdFd1lEVlFRS0RBeHplWE4wWlcwNmJtOWtaWE14RmpBVUJnTlZCQU1NRFhONQpjM1JsYlRwdWIyUmxPbUV3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVNPUHZjcGN5UVEvVkQ5CmNwSnNuT1pSMkxXVmpDRUN4eTZSSGY1ZHlDZGQ4SHlESVZhZzBsOXh6WEZwc2JzM05MOHRYM05VMG5SMUtWT0sKdjR1dGRKQ05vQ3N3S1FZSktvWklodmNOQVFrT01Sd3dHakFZQmdOVkhSRUVFVEFQZ2cxaExtVjRZVzF3YkdVdQpZMjl0TUFvR0NDcUdTTTQ5QkFNQ0Ewa0FNRVlDSVFEMHZQWDV1OFMybUdmK3ExbGIzemxOSU92RExIWWROYUdRCklZWHM3bmplRHdJaEFLQ3hJS3RHMHNaS25iaDYzOUpOYTJQK0t2a0o4VkFqUGphUDgxaDVsczBECi0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=',
  mail: 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQkdUQ0J2d0lCQURBdk1SVXdFd1lEVlFRS0RBeHplWE4wWlcwNmJtOWtaWE14RmpBVUJnTlZCQU1NRFhONQpjM1JsYlRwdWIyUmxPbUV3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVRyb1VnREtaZlRkUXZwCkh5TnAwNDlqUlMrWXAwUGRXYXlUMFNPMmFvYkFmT1dsUHFPNDEvNVE1b0V0WEN2Z3BwWUZNSExCRnlENkl2aTIKUEh1K1NxM3NvQzR3TEFZSktvWklodmNOQVFrT01SOHdIVEFiQmdOVkhSRUVGREFTZ2dGaGdRMWhRR1Y0WVcxdwpiR1V1WTI5dE1Bb0dDQ3FHU000OUJBTUNBMGtBTUVZQ0lRQ1pXVlZzdmhKOTVWMWxYVkEyZ2lKQ3d2VVM5K1JYCm5VMW1BcGRGejNvc3J3SWhBTmZlMGFjN2hSbHJOdXd4aVUyRC92eFdwbGIraU95YlRUMGx0RGJLcWlhcgotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K',
  nobody:
    'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIbU1JR05BZ0VBTUF3eENqQUlCZ05WQkFNTUFXRXdXVEFUQmdjcWhrak9QUUlCQmdncWhrak9QUU1CQndOQwpBQVNWZ3hOSk4wYnRKaFBkdUJPTk1wcEcxRFF5elo3cUNjemFtcDJkSlp3cFpyOVl5bHIwQ2Z1L2RCQXB5OGQ0Cjl6dE1EL002SG9QeWZlRlJialFrV25BQW9COHdIUVlKS29aSWh2Y05BUWtPTVJBd0RqQU1CZ05WSFJFRUJUQUQKZ2dGaE1Bb0dDQ3FHU000OUJBTUNBMGdBTUVVQ0lCOGtBZWhnRHd5Zk5CWVAraVRkUkpKZUNQaFhnWHk2bmR0UQpKTW9qK3lrdkFpRUE0dUhPdnpvVmxIWUR0NENucURtcHBKVmFyM1F0dTh5TDd2dTh1VG5BUTg4PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K',
  named:
    'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIOE1JR2tBZ0VBTUNNeEZUQVRCZ05WQkFvTURITjVjM1JsYlRwdWIyUmxjekVLTUFnR0ExVUVBd3dCWVRCWgpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQUJOVkoxVE1MNTdjck5qV0hXVjV4NjlHU2g1OG9pWEtaCjc4V05HajhXaHR5VDZReXpCc00wZzhjL3A1djdDV3ZpT0FoUjRja2tLSmIrZ292TnBTcWhMTHFnSHpBZEJna3EKaGtpRzl3MEJDUTR4RURBT01Bd0dBMVVkRVFRRk1BT0NBV0V3Q2dZSUtvWkl6ajBFQXdJRFJ3QXdSQUlnQVJWbApscDBHbmNUQU9WSGpDSWJpV1VEajdkYlZOM0oxdjBoWHJPZ2Rod0lDSUNDcytFYVNWSmV2V3Yva2pkUmVmRXNIClM0cXZxQVppcFRZc2VYK016alhGCi0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=',
} as const;

const at = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const client = 'kubernetes.io/kube-apiserver-client';
const kubelet = 'kubernetes.io/kube-apiserver-client-kubelet';
const serving = 'kubernetes.io/kubelet-serving';
const usages = ['digital signature', 'client auth'];
const forServers = ['digital signature', 'key encipherment', 'server auth'];

/** A signing request: its subject, signer and usages. */
interface Asked {
  readonly who: keyof typeof requests;
  readonly signerName?: string;
  readonly usages?: readonly string[];
}

const verdict = (type: string): Step => ({
  method: 'PATCH',
  path: `${at}/{ns}/approval`,
  body: { status: { conditions: [{ type, status: 'True', reason: 'Fine', message: 'by hand' }] } },
});
const make = ({ who, ...more }: Asked): Step => ({
  path: at,
  body: { metadata: { name: '{ns}' }, spec: { request: requests[who], signerName: client, usages, ...more } },
});
const decided = (condition: number, type: string): Step => ({
  path: `${at}/{ns}`,
  awaits: { [`status.conditions[${condition}].type`]: type },
});
const failed = (asked: Asked): readonly Step[] => [make(asked), verdict('Approved'), decided(1, 'Failed')];
const signed = (asked: Asked): readonly Step[] => [
  make(asked),
  verdict('Approved'),
  { ...decided(0, 'Approved'), awaits: { 'metadata.managedFields[2].subresource': 'status' } },
];

/** Approval and signing of certificate requests. */
export const signing: Readonly<Record<string, readonly Step[]>> = {
  'a client': signed({ who: 'user' }),
  'a server': signed({ who: 'host', signerName: serving, usages: forServers }),
  'a server without enciphering': signed({
    who: 'host',
    signerName: serving,
    usages: ['digital signature', 'server auth'],
  }),
  'a client with a host': signed({ who: 'nobody', usages: ['client auth'] }),
  'a kubelet': [
    make({ who: 'node', signerName: kubelet }),
    { path: `${at}/{ns}`, awaits: { 'metadata.managedFields[2].subresource': 'status' } },
  ],
  'a wrong usage': failed({ who: 'user', usages: ['client auth', 'server auth'] }),
  'no usage as client': failed({ who: 'user', usages: ['key encipherment'] }),
  'a server that is no node': failed({ who: 'nobody', signerName: serving, usages: forServers }),
  'a server of another name': failed({ who: 'named', signerName: serving, usages: forServers }),
  'a server without a host': failed({ who: 'node', signerName: serving, usages: forServers }),
  'a server with an address of mail': failed({ who: 'mail', signerName: serving, usages: forServers }),
  'a server with other usages': failed({ who: 'host', signerName: serving }),
  'a kubelet that is no node': failed({ who: 'user', signerName: kubelet }),
  'a kubelet with a host': failed({ who: 'host', signerName: kubelet }),
  'a kubelet with an address of mail': failed({ who: 'mail', signerName: kubelet }),
  'a kubelet with other usages': failed({ who: 'node', signerName: kubelet, usages: forServers }),
  'what was denied': [make({ who: 'user' }), verdict('Denied'), verdict('Approved'), { path: `${at}/{ns}` }],
  'another signer': [make({ who: 'user', signerName: 'example.com/own' }), verdict('Approved'), { path: `${at}/{ns}` }],
  'no request at all': [
    {
      path: at,
      body: {
        metadata: { name: '{ns}' },
        spec: {
          request: btoa('-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----\n'),
          signerName: client,
          usages,
        },
      },
    },
  ],
};
