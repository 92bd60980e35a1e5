/** Recorded cases that the cluster cannot answer as the real server does: reasons by id. */
export const impossible: Readonly<Record<string, string>> = {
  D16: "the index of /openapi/v3 has a hash of each group's document in its URLs; they are hashes of upstream's own documents, word by word, which this cluster does not carry",
};
