/** Annotations of pods. */

/** Annotation of mirror pods, which represent a kubelet's static pods. */
export const mirror = 'kubernetes.io/config.mirror';

/** Prefix of annotations that set a container's seccomp profile. */
export const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/';

/** Prefix of annotations that set a container's AppArmor profile. */
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';
