# A small byte-level BPE tokenizer, made here without downloads.
import os, json, random
from tokenizers import Tokenizer, models, pre_tokenizers, decoders, trainers
t=Tokenizer(models.BPE())
t.pre_tokenizer=pre_tokenizers.ByteLevel(add_prefix_space=False); t.decoder=decoders.ByteLevel()
r=random.Random(1)
S="b br d f fl g gr k kl l m n p pr r s st t tr v".split(); V="a e i o u ai ou".split(); E=["","","l","m","n","r","s","t"]
text=[" ".join(r.choice(S)+r.choice(V)+r.choice(E) for _ in range(200)) for _ in range(200)]
text.append("The quick brown fox jumps over the lazy dog. Why is the sky blue? "*50)
t.train_from_iterator(text, trainers.BpeTrainer(vocab_size=2000, special_tokens=["<|endoftext|>","<|user|>","<|assistant|>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
os.makedirs("tok",exist_ok=True); t.save("tok/tokenizer.json")
json.dump({"tokenizer_class":"PreTrainedTokenizerFast","model_max_length":131072,"eos_token":"<|endoftext|>","bos_token":"<|endoftext|>","pad_token":"<|endoftext|>","unk_token":"<|endoftext|>","chat_template":"{% for m in messages %}{{ '<|' + m['role'] + '|>' + m['content'] }}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"}, open("tok/tokenizer_config.json","w"))
json.dump({"model_type":"gpt2","architectures":["GPT2LMHeadModel"],"vocab_size":t.get_vocab_size(),"n_ctx":131072,"n_positions":131072}, open("tok/config.json","w"))
print(t.get_vocab_size(), len(t.encode(" brai klom tras fou").ids))
