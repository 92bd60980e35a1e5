/** What a client must know to be let in. */
export interface Access {
  readonly url: string;
  /** The authority's certificate, in PEM. */
  readonly authority: string;
  readonly token: string;
}

/** A kubeconfig with one cluster, one user and one context that joins them. */
export const kubeconfigOf = ({ url, authority, token }: Access): string => `apiVersion: v1
kind: Config
clusters:
- name: in-memory
  cluster:
    server: ${url}
    certificate-authority-data: ${Buffer.from(authority).toString('base64')}
users:
- name: admin
  user:
    token: ${token}
contexts:
- name: in-memory
  context:
    cluster: in-memory
    user: admin
current-context: in-memory
`;
