/** Types of `io.k8s.api.node.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const nodeTypes = `
Overhead podFixed/1:{q}<core.ResourceList>
RuntimeClass object metadata/1:meta.ObjectMeta handler/2*+:s overhead/3?:Overhead scheduling/4?:Scheduling
Scheduling nodeSelector/1:{s}! tolerations/2:[core.Toleration]!
`;
