/** The annotation of a pod that the kubelet made from a file. */
export const mirror = 'kubernetes.io/config.mirror';

/** Start of annotations that name a container, and say its profile of seccomp. */
export const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/';

/** Start of annotations that name a container, and say its profile of AppArmor. */
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';
