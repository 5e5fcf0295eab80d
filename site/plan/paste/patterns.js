// @ts-check
/**
 * What vLLM prints, in every wording from 0.2 to 0.33, as patterns that are read from left to right and never go back.
 *
 * `#` a number, `%` an amount of memory in GiB, `@` a word, `&` a word with any letters, `$` a text up to what follows, `*` a gap of at most 200
 * characters, `?` what follows may be cut off. A space also stands for a line that was wrapped.
 * @module
 */

/** Figures: phase of the start, pattern, names of the printed figures; a name with `=` is a setting. */
const FIGURES = `
0 vLLM API server version @|=version
0 vLLM version @|=version
0 vLLM Version*: @|=version
0 vllm==@|=version
0 █ version @|=version
0 █ model &|=model
0 Using max model len #|=max_model_len
0 Chunked prefill is enabled with max_num_batched_tokens=#|=max_num_batched_tokens
0 Auto-fit max_model_len: reduced from # to #?*(%|longest_before longest_fitted kv_gib
0 Auto-fit max_model_len: full model context length #?*(%|longest_fitted kv_gib
0 Overriding num_gpu_blocks=# with num_gpu_blocks_override=#|blocks =num_gpu_blocks_override
0 Checkpoint size: %|checkpoint_gib
0 attention block size to # tokens|block_tokens
0 kv cache block size to #|block_tokens
0 Resolved architecture: @|architecture
0 NVIDIA $ with CUDA capability sm_# is not compatible|=card sm
0 NVIDIA $ which is of cuda capability #|=card capability
2 Model loading took %|weights_gib
2 Loading model weights took %|weights_gib
2 odel weights take %|weights_gib
3 weight %;|weights_gib
3 total_gpu_memory (%) x gpu_memory_utilization (#) = %|total_gib share requested_gib
3 total_gpu_memory %|total_gib
3 total_gpu_memory=%|total_gib
3 gpu_memory_utilization #|share
3 current vLLM instance can use %|requested_gib
3 initial_memory_usage=%|initial_gib
3 peak_torch_memory=%|peak_torch_gib
3 non_torch_memory=%|non_torch_gib
3 non_torch_memory takes %|non_torch_gib
3 non_torch_memory %|non_torch_gib
3 on-torch memory takes %|non_torch_gib
3 PyTorch activation peak memory takes %|activation_gib
3 PyTorch activation peak memory %|activation_gib
3 peak activation %|activation_gib
3 non-torch %|non_torch_gib
3 CUDAGraph %|graphs_gib
3 memory reserved for KV Cache is %|kv_gib
3 available_kv_cache_memory %|kv_gib
3 kv_cache_size=% gpu_memory_utilization=#|kv_gib share
3 Available KV cache memory: %|kv_gib
3 Available KV %|kv_gib
3 Initial free memory: %; Requested memory: # (util), %|free_gib share requested_gib
3 Initial free memory %, reserved % memory for KV|free_gib kv_gib
3 Explicitly set (#/#) GiB for KV cache|kv_gib host_gib
3 GPU blocks: #|blocks
3 blocks: #,*CPU blocks|blocks
3 num_gpu_blocks is: #|blocks
3 KV cache size: # tokens|tokens
3 KV pool # tokens|tokens
3 Maximum concurrency for # tokens per request: #x|at_length concurrency
3 Estimated CUDA graph memory: %|graphs_estimated_gib
3 current --gpu-memory-utilization=# is equivalent to --gpu-memory-utilization=# without|share share_without_graphs
3 --gpu-memory-utilization from # to #|share share_with_graphs
3 torch peak memory increase: %|activation_gib
3 non-torch forward increase memory: %|non_torch_gib
3 consumed (from mem_get_info): %|consumed_gib
3 weights memory: %|weights_gib
4 Graph capturing finished*took %|graphs_gib
4 CUDA graph pool memory: % (actual), % (estimated)|graphs_gib graphs_estimated_gib
4 Free memory on device*(#/%) on startup?*(#, %|free_gib total_gib share requested_gib
4 kv cache memory in use is %|kv_gib
4 KV cache memory: %|kv_gib
`;

/**
 * Refusals by the number of the fact sheet's §3, and those of later versions after it; a name with `+` is a printed figure
 * too, one with `!` is said by the line as a whole. 15: the version does not know the model; 16: nothing in it was
 * compiled for the card; 17: it does not know how the weights are stored; 18: it knows the model, and could not load its
 * code.
 */
const REFUSALS = `
1 Free memory on device*(#/%) on startup is less?*(#, %|+free_gib +total_gib +share +requested_gib
1 Available memory on node*(#/%) on startup is less?*(#, %|+free_gib +total_gib +share +requested_gib !node
2 Error in memory profiling?*nitial free memory %*current free memory %|initial_free_gib current_free_gib
3 No available memory for the cache blocks|
3 worker already uses %?*more than the %|used_gib +requested_gib
4 max seq len (#)*% KV cache is needed?*KV cache memory (%)*length is #|=max_model_len needed_gib +kv_gib estimated_length
4 max seq len (#) is larger than*stored in KV cache (#|=max_model_len +tokens
5 max_model_len (#) is greater than the derived max_model_len (*=#|=max_model_len model_longest
6 max_num_batched_tokens (#) must be greater than or equal to max_num_seqs (#|=max_num_batched_tokens =max_num_seqs
7 max_num_batched_tokens (#) is smaller than max_model_len (#|=max_num_batched_tokens =max_model_len
8 out of memory occurred when warming up sampler with #|dummy_requests
8 out of memory. Tried to allocate? %*capac*% of which % is free. Process # has % memory in use. Including non-PyTorch memory, this process has %|tried_gib +total_gib free_gib process others_gib own_gib
8 out of memory. Tried to allocate? %*capac*% of which % is free. Including non-PyTorch memory, this process has % memory in use. Process # has %|tried_gib +total_gib free_gib own_gib process others_gib
8 out of memory. Tried to allocate? % (*; % total capacity*allocated; % free|tried_gib +total_gib free_gib
9 max_num_seqs (#) exceeds available Mamba cache blocks (#|=max_num_seqs mamba_blocks
10 attention heads (#) must be divisible by tensor parallel size (#|heads =tensor_parallel_size
10 assert self.total_num_kv_heads*tp_size == 0|!kv_heads
10 assert tp_size*self.total_num_kv_heads == 0|!kv_heads
10 The output_size of gate's and up's weight = # is not divisible?*block_n = #|width block !experts
10 The input_size of down's weight = # is not divisible?*block_k = #|width block !experts
10 Weight output_partition_size = # is not divisible?*block_n = #|width block
10 Weight input_size_per_partition = # is not divisible?*block_k = #|width block
11 loat16 is only supported on GPUs with compute capability?*Your $ GPU*capability #|=card capability
12 The quantization method @ is not supported for the current GPU?*inimum capability: #*urrent capability: #|method least current
13 Cannot find the config file for @|=quantization
14 Quantization method specified in the model config (@) does not match?*argument (@|stored =quantization
15 Model architectures ['$'] are not supported|architecture
15 Model architecture @ was supported in vLLM until v@|architecture until
15 Model architecture @ is not supported in-tree|architecture !plugin
15 has no vLLM implementation and the Transformers|
15 has model type *@*but Transformers does not recognize|model_type
16 no kernel image is available|
16 Value 'sm_#*is not defined for option 'gpu-name|sm
15 The Transformers implementation of '$' is not compatible|architecture
17 Unknown quantization method: @|method
17 Invalid quantization method: @|method
18 Model architectures ['$'] failed to be inspected|architecture
18 Error in inspecting model architecture '$'|architecture
`;

/** What else vLLM and what is below it say, by the key of its sentence: it is no refusal, and no figure of a start. */
const OTHERS = `
nccl NCCL error in
nccl ncclSystemError
nccl ncclUnhandledCudaError
gated access a gated repo
request maximum context length is # tokens?*requested #|longest requested
preempted is preempted by
busy Running: # reqs*Waiting: # reqs?*cache usage: #|running waiting used
`;

/** Where something longer begins, which a reader of its own takes from there. */
const LONGER = `
config Initializing a
args non-default args:
args Namespace(
usage Actual usage
call LLM(
call EngineArgs(
shell vllm serve
shell vllm.exe serve
shell vllm.entrypoints.
shell api_server.py
shell docker run
shell podman run
shell nerdctl run
smi MiB /
card NVIDIA 
card Tesla 
card AMD Instinct 
lost Engine core initialization failed
loading , in load_model
loading , in initialize_model
loading make_layers(
loading create_weights(
loading self.mlp = 
loading self.self_attn = 
loading ParallelLMHead(
loading VocabParallelEmbedding(
loading during weight loading
loading not enough GPU memory
loading unquantized linear weights
loading checkpoint shards: 
loaded , in profile_run
loaded , in determine_
loaded , in compile_or_warm_up_model
loaded Loading weights took
flags unrecognized arguments:
version vllm
version vLLM
version VLLM
device device_name=
spoken RTX
spoken rtx
spoken H100
spoken H20
spoken H800
spoken A100
spoken A10
spoken A16
spoken A30
spoken A40
spoken L4
spoken L20
spoken T4
spoken V100
spoken MI2
spoken MI3
spoken B200
spoken B300
spoken GB10
spoken GB200
spoken GB300
spoken GH200
spoken Gaudi
spoken Jetson
`;

/** @typedef {{kind: string, first: string, number: number, steps: string[], keys: string[]}} Pattern */

/** How much of a pattern's beginning is looked for; what is longer is more often torn by a wrapped line. */
const HEAD = 26;

/** @type {Map<string, Pattern[]>} every pattern by how it begins */
const PATTERNS = new Map();
for (const [table, kind] of [[REFUSALS, "refusal"], [FIGURES, "figure"], [OTHERS, "other"], [LONGER, ""]]) {
  for (const row of table.split("\n").filter(Boolean)) {
    const [first] = row.split(" ");
    const bar = kind && row.includes("|") ? row.lastIndexOf("|") : row.length;
    const text = row.slice(first.length + 1, bar);
    const steps = kind ? text.split(/([#%@&$*?])/).filter(Boolean) : [text];
    const pattern = { kind: kind || first, first, number: Number(first), steps, keys: row.slice(bar + 1).split(" ") };
    const head = steps[0].slice(0, HEAD).replace(/ +/g, " ");
    PATTERNS.set(head, [...(PATTERNS.get(head) ?? []), pattern]);
  }
}

/** All beginnings at once, the longer first. */
export const HEADS = [...PATTERNS.keys()].sort((a, b) => b.length - a.length);

/** The patterns that begin so. @param {string} head @returns {Pattern[]} */
export function patterns_of(head) {
  return PATTERNS.get(head) ?? [];
}
