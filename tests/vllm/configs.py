"""Real config.json files, cut down to the fields that matter, with the parameters that were counted elsewhere.

Where the figures stand: most in `facts/vllm/models.json`, which names its source (the safetensors on Hugging Face);
GPT-2, OPT-125m, BLOOM-560m and Pythia-70m in a table of a public repository (index id 66461905649); Mamba-130m in a
model card (63244441933); Qwen2.5-VL-7B as `numParameters` on Hugging Face's own page (33908990598). REMEMBERED were not
found in print: they are known from running the models. DeepSeek-V3's is what its report calls 671B, without the layer
for speculation, which `test_parameters.py` counts apart.
"""

from typing import Any


def llama(**fields: Any) -> dict[str, Any]:
    """A Llama-3.1-8B with some other fields."""
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "torch_dtype": "bfloat16",
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "vocab_size": 128256,
        "max_position_embeddings": 131072,
        "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "original_max_position_embeddings": 8192},
        "tie_word_embeddings": False,
        **fields,
    }


def dense(model_type: str, sizes: str, **fields: Any) -> dict[str, Any]:
    """A config by its hidden size, width, layers, heads, KV heads and vocabulary."""
    names = [
        "hidden_size",
        "intermediate_size",
        "num_hidden_layers",
        "num_attention_heads",
        "num_key_value_heads",
        "vocab_size",
    ]
    numbers = dict(zip(names, (int(each) for each in sizes.split()), strict=True))
    return {"model_type": model_type, "torch_dtype": "bfloat16", "max_position_embeddings": 32768, **numbers, **fields}


GEMMA_EYE = {
    "model_type": "siglip_vision_model",
    "hidden_size": 1152,
    "intermediate_size": 4304,
    "num_hidden_layers": 27,
    "num_attention_heads": 16,
    "image_size": 896,
    "patch_size": 14,
    "vision_use_head": False,
}
LATENT = {"kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128}

COUNTED: dict[str, tuple[dict[str, Any], int]] = {
    "meta-llama/Llama-3.1-8B": (llama(), 8_030_261_248),
    "meta-llama/Llama-3.2-1B": (dense("llama", "2048 8192 16 32 8 128256", tie_word_embeddings=True), 1_235_814_400),
    "meta-llama/Llama-2-7b-hf": (dense("llama", "4096 11008 32 32 32 32000"), 6_738_415_616),
    "mistralai/Mistral-7B-v0.1": (dense("mistral", "4096 14336 32 32 8 32000", sliding_window=4096), 7_241_732_096),
    "mistralai/Mixtral-8x7B-v0.1": (
        dense("mixtral", "4096 14336 32 32 8 32000", num_local_experts=8, num_experts_per_tok=2, sliding_window=None),
        46_702_792_704,
    ),
    "Qwen/Qwen2.5-7B": (
        dense("qwen2", "3584 18944 28 28 4 152064", use_sliding_window=False, sliding_window=131072),
        7_615_616_512,
    ),
    "Qwen/Qwen2.5-0.5B": (dense("qwen2", "896 4864 24 14 2 151936", tie_word_embeddings=True), 494_032_768),
    "Qwen/Qwen3-0.6B": (
        dense("qwen3", "1024 3072 28 16 8 151936", head_dim=128, tie_word_embeddings=True, attention_bias=False),
        596_049_920,
    ),
    "Qwen/Qwen3-30B-A3B": (
        dense(
            "qwen3_moe",
            "2048 6144 48 32 4 151936",
            head_dim=128,
            num_experts=128,
            num_experts_per_tok=8,
            moe_intermediate_size=768,
            decoder_sparse_step=1,
            mlp_only_layers=[],
        ),
        30_532_122_624,
    ),
    "google/gemma-2-9b": (
        dense("gemma2", "3584 14336 42 16 8 256000", head_dim=256, sliding_window=4096),
        9_241_705_984,
    ),
    "google/gemma-3-4b-it": (
        {
            "model_type": "gemma3",
            "torch_dtype": "bfloat16",
            "text_config": {
                "model_type": "gemma3_text",
                "hidden_size": 2560,
                "intermediate_size": 10240,
                "num_hidden_layers": 34,
                "sliding_window": 1024,
                "rope_scaling": {"rope_type": "linear", "factor": 8.0},
            },
            "vision_config": GEMMA_EYE,
        },
        4_300_079_472,
    ),
    "microsoft/phi-2": (dense("phi", "2560 10240 32 32 32 51200", partial_rotary_factor=0.4), 2_779_683_840),
    "microsoft/phi-4": (dense("phi3", "5120 17920 40 40 10 100352", sliding_window=None), 14_659_507_200),
    "deepseek-ai/DeepSeek-V2-Lite": (
        dense(
            "deepseek_v2",
            "2048 10944 27 16 16 102400",
            **LATENT,
            q_lora_rank=None,
            n_routed_experts=64,
            n_shared_experts=2,
            num_experts_per_tok=6,
            moe_intermediate_size=1408,
            first_k_dense_replace=1,
            moe_layer_freq=1,
            rope_scaling={"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096},
        ),
        15_706_484_224,
    ),
    "deepseek-ai/DeepSeek-V3": (
        dense(
            "deepseek_v3",
            "7168 18432 61 128 128 129280",
            **LATENT,
            q_lora_rank=1536,
            n_routed_experts=256,
            n_shared_experts=1,
            num_experts_per_tok=8,
            moe_intermediate_size=2048,
            first_k_dense_replace=3,
            moe_layer_freq=1,
            num_nextn_predict_layers=1,
            quantization_config={"quant_method": "fp8", "weight_block_size": [128, 128]},
            rope_scaling={"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096},
        ),
        671_026_419_200,
    ),
    "openai/gpt-oss-20b": (
        dense(
            "gpt_oss",
            "2880 2880 24 64 8 201088",
            head_dim=64,
            num_local_experts=32,
            num_experts_per_tok=4,
            sliding_window=128,
            layer_types=["sliding_attention", "full_attention"] * 12,
            quantization_config={
                "quant_method": "mxfp4",
                "modules_to_not_convert": [
                    "model.layers.*.self_attn",
                    "model.layers.*.mlp.router",
                    "model.embed_tokens",
                    "lm_head",
                ],
            },
            rope_scaling={"rope_type": "yarn", "factor": 32.0, "original_max_position_embeddings": 4096},
        ),
        20_914_757_184,
    ),
    "facebook/opt-125m": (
        {
            "model_type": "opt",
            "torch_dtype": "float16",
            "hidden_size": 768,
            "ffn_dim": 3072,
            "num_hidden_layers": 12,
            "num_attention_heads": 12,
            "vocab_size": 50272,
            "max_position_embeddings": 2048,
            "word_embed_proj_dim": 768,
        },
        125_239_296,
    ),
    "openai-community/gpt2": (
        {
            "model_type": "gpt2",
            "n_embd": 768,
            "n_layer": 12,
            "n_head": 12,
            "n_positions": 1024,
            "n_ctx": 1024,
            "vocab_size": 50257,
        },
        124_439_808,
    ),
    "bigscience/bloom-560m": (
        {
            "model_type": "bloom",
            "hidden_size": 1024,
            "n_layer": 24,
            "n_head": 16,
            "vocab_size": 250880,
            "torch_dtype": "float16",
        },
        559_214_592,
    ),
    "mosaicml/mpt-7b": (
        {
            "model_type": "mpt",
            "d_model": 4096,
            "n_layers": 32,
            "n_heads": 32,
            "expansion_ratio": 4,
            "vocab_size": 50432,
            "max_seq_len": 2048,
            "torch_dtype": "bfloat16",
        },
        6_649_286_656,
    ),
    "tiiuae/falcon-7b": (
        {
            "model_type": "falcon",
            "hidden_size": 4544,
            "num_hidden_layers": 32,
            "num_attention_heads": 71,
            "multi_query": True,
            "parallel_attn": True,
            "new_decoder_architecture": False,
            "bias": False,
            "vocab_size": 65024,
            "torch_dtype": "bfloat16",
        },
        6_921_720_704,
    ),
    "EleutherAI/pythia-70m": (
        {
            "model_type": "gpt_neox",
            "hidden_size": 512,
            "intermediate_size": 2048,
            "num_hidden_layers": 6,
            "num_attention_heads": 8,
            "vocab_size": 50304,
            "max_position_embeddings": 2048,
            "torch_dtype": "float16",
        },
        70_426_624,
    ),
    "state-spaces/mamba-130m-hf": (
        {
            "model_type": "mamba",
            "hidden_size": 768,
            "intermediate_size": 1536,
            "num_hidden_layers": 24,
            "state_size": 16,
            "conv_kernel": 4,
            "time_step_rank": 48,
            "vocab_size": 50280,
            "torch_dtype": "float32",
        },
        129_135_360,
    ),
    "ai21labs/AI21-Jamba-1.5-Mini": (
        dense(
            "jamba",
            "4096 14336 32 32 8 65536",
            attn_layer_period=8,
            attn_layer_offset=4,
            expert_layer_period=2,
            expert_layer_offset=1,
            num_experts=16,
            num_experts_per_tok=2,
            mamba_d_state=16,
            mamba_d_conv=4,
            mamba_expand=2,
            mamba_dt_rank=256,
            mamba_conv_bias=True,
            mamba_proj_bias=False,
        ),
        51_570_323_328,
    ),
    "openai/whisper-large-v3-turbo": (
        {
            "model_type": "whisper",
            "torch_dtype": "float16",
            "d_model": 1280,
            "num_hidden_layers": 32,
            "encoder_layers": 32,
            "decoder_layers": 4,
            "encoder_attention_heads": 20,
            "decoder_attention_heads": 20,
            "encoder_ffn_dim": 5120,
            "decoder_ffn_dim": 5120,
            "num_mel_bins": 128,
            "max_source_positions": 1500,
            "max_target_positions": 448,
            "vocab_size": 51866,
        },
        808_878_080,
    ),
}

REMEMBERED = {"meta-llama/Llama-2-7b-hf", "mosaicml/mpt-7b", "tiiuae/falcon-7b"}
"""Models whose count was found in no source."""

OTHERS: dict[str, dict[str, Any]] = {
    "qwen3_next": dense(
        "qwen3_next",
        "2048 5120 48 16 2 151936",
        head_dim=256,
        full_attention_interval=4,
        linear_conv_kernel_dim=4,
        linear_key_head_dim=128,
        linear_value_head_dim=128,
        linear_num_key_heads=16,
        linear_num_value_heads=32,
        num_experts=512,
        num_experts_per_tok=10,
        moe_intermediate_size=512,
        shared_expert_intermediate_size=512,
    ),
    "nemotron_h": dense(
        "nemotron_h",
        "4096 21504 8 32 8 131072",
        hybrid_override_pattern="M-M-M*-M",
        mamba_num_heads=128,
        mamba_head_dim=64,
        ssm_state_size=128,
        n_groups=8,
        conv_kernel=4,
        head_dim=128,
        mamba_ssm_cache_dtype="float32",
    ),
    "falcon_h1": dense(
        "falcon_h1",
        "3072 12288 44 12 2 130048",
        head_dim=128,
        mamba_d_ssm=3072,
        mamba_n_heads=24,
        mamba_d_head=128,
        mamba_d_state=256,
        mamba_n_groups=2,
        mamba_d_conv=4,
        mamba_rms_norm=False,
    ),
    "bamba": dense(
        "bamba",
        "4096 14336 32 32 8 128256",
        attn_layer_indices=[9, 18, 27],
        mamba_n_heads=128,
        mamba_d_head=64,
        mamba_d_state=128,
        mamba_n_groups=1,
        mamba_d_conv=4,
        mamba_expand=2,
    ),
    "lfm2": dense(
        "lfm2",
        "2048 12288 16 32 8 65536",
        conv_L_cache=3,
        full_attn_idxs=[2, 5, 8, 10, 12, 14],
        block_ff_dim=12288,
        block_auto_adjust_ff_dim=True,
        block_multiple_of=256,
    ),
    "kimi_linear": dense(
        "kimi_linear",
        "2304 9216 4 32 32 163840",
        **LATENT,
        linear_attn_config={
            "full_attn_layers": [4],
            "kda_layers": [1, 2, 3],
            "head_dim": 128,
            "num_heads": 32,
            "short_conv_kernel_size": 4,
        },
        num_experts=256,
        num_experts_per_token=8,
        moe_intermediate_size=1024,
        num_shared_experts=1,
        first_k_dense_replace=1,
    ),
    "llama4": {
        "model_type": "llama4",
        "torch_dtype": "bfloat16",
        "text_config": dense(
            "llama4_text",
            "5120 8192 48 40 8 202048",
            intermediate_size_mlp=16384,
            attention_chunk_size=8192,
            num_local_experts=16,
            num_experts_per_tok=1,
            interleave_moe_layer_step=1,
            no_rope_layers=[1, 1, 1, 0] * 12,
        ),
        "vision_config": {"model_type": "llama4_vision_model", "hidden_size": 1408, "num_hidden_layers": 34},
    },
    "mllama": {
        "model_type": "mllama",
        "torch_dtype": "bfloat16",
        "text_config": dense(
            "mllama_text_model", "4096 14336 40 32 8 128256", cross_attention_layers=[3, 8, 13, 18, 23, 28, 33, 38]
        ),
        "vision_config": {"hidden_size": 1280, "num_hidden_layers": 32, "num_global_layers": 8, "image_size": 560},
    },
    "gemma3n": {
        "model_type": "gemma3n",
        "torch_dtype": "bfloat16",
        "text_config": dense(
            "gemma3n_text",
            "2048 16384 35 8 2 262400",
            intermediate_size=[16384] * 35,
            num_kv_shared_layers=15,
            layer_types=(["sliding_attention"] * 4 + ["full_attention"]) * 7,
            sliding_window=512,
        ),
        "vision_config": {"model_type": "gemma3n_vision", "architecture": "mobilenetv5_300m_enc", "hidden_size": 2048},
    },
    "qwen2_5_vl": dense(
        "qwen2_5_vl",
        "3584 18944 28 28 4 152064",
        vision_config={"model_type": "qwen2_5_vl", "depth": 32, "hidden_size": 1280, "out_hidden_size": 3584},
        rope_scaling={"type": "mrope", "mrope_section": [16, 24, 24]},
    ),
    "awq": llama(quantization_config={"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": True}),
    "gptq": llama(quantization_config={"quant_method": "gptq", "bits": 4, "group_size": 128, "sym": True}),
    "int8": llama(
        quantization_config={
            "quant_method": "compressed-tensors",
            "config_groups": {
                "group_0": {
                    "targets": ["Linear"],
                    "weights": {"num_bits": 8, "type": "int", "strategy": "channel", "symmetric": True},
                }
            },
            "ignore": ["lm_head", "model.layers.3.mlp.down_proj", "re:.*self_attn.*"],
        }
    ),
    "nvfp4": llama(
        quantization_config={"quant_method": "modelopt", "quant_algo": "NVFP4", "exclude_modules": ["lm_head"]}
    ),
    "bnb": llama(quantization_config={"quant_method": "bitsandbytes", "load_in_4bit": True}),
    "unknown": dense("a_model_of_tomorrow", "2048 8192 24 16 4 64000"),
}
