package io.metricsaggregator.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

class MsgpackOutputTest {
    private static final int[] LENGTHS = {0, 1, 2, 4, 8, 15, 16, 17, 31, 32, 127, 255, 256, 511, 512, 65_535, 65_536};
    private final MsgpackOutput output = new MsgpackOutput();

    private static byte[] expected(@Nullable Object tree) throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(tree, packer);
            return packer.toByteArray();
        }
    }

    private void requireEqual(@Nullable Object tree) throws IOException {
        output.reset(Integer.MAX_VALUE);
        output.tree(tree);
        assertThat(output.toByteArray()).isEqualTo(expected(tree));
    }

    @Test
    void every_value_has_the_bytes_of_the_library() throws IOException {
        Random random = Seed.random(MsgpackOutputTest.class);
        for (int i = 0; i < 64; i++) {
            for (int d = -1; d <= 1; d++) {
                requireEqual((1L << i) + d);
                requireEqual(-(1L << i) + d);
            }
        }
        requireEqual(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE));
        for (int i = 0; i < 2000; i++) {
            requireEqual(tree(random, 0));
        }
        for (int length : LENGTHS) {
            for (String text : List.of("a", "é", "\ud83d\ude00", "\ud800")) {
                requireEqual(text.repeat(length));
            }
            requireEqual(new byte[length]);
            requireEqual(new MsgpackTree.Extension(7, new byte[length]));
            List<Long> list = new ArrayList<>();
            Map<String, Object> map = new LinkedHashMap<>();
            for (int i = 0; i < length; i++) {
                list.add(3L);
                map.put("k" + i, null);
            }
            requireEqual(list);
            requireEqual(map);
            output.reset(Integer.MAX_VALUE);
            output.nil();
            int place = output.startMap();
            map.keySet().forEach(key -> {
                output.ascii(key);
                output.nil();
            });
            output.endMap(place, length);
            byte[] behind = output.toByteArray();
            assertThat(java.util.Arrays.copyOfRange(behind, 1, behind.length)).isEqualTo(expected(map));
        }
    }

    private static @Nullable Object tree(Random random, int depth) {
        return switch (random.nextInt(depth < 4 ? 9 : 7)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> random.nextLong() >> random.nextInt(64);
            case 3 -> random.nextDouble();
            case 4 -> "x".repeat(random.nextInt(40));
            case 5 -> new byte[random.nextInt(300)];
            case 6 -> new MsgpackTree.Extension(random.nextInt(256) - 128, new byte[random.nextInt(20)]);
            case 7 -> {
                List<@Nullable Object> list = new ArrayList<>();
                for (int i = random.nextInt(20); i > 0; i--) {
                    list.add(tree(random, depth + 1));
                }
                yield list;
            }
            default -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(20); i > 0; i--) {
                    map.put("key" + i, tree(random, depth + 1));
                }
                yield map;
            }
        };
    }

    @Test
    void a_value_over_the_limit_is_refused_and_one_up_to_it_is_not() throws IOException {
        Random random = Seed.random(MsgpackOutputTest.class);
        for (int i = 0; i < 500; i++) {
            Object tree = tree(random, 0);
            int length = expected(tree).length;
            output.reset(length);
            output.tree(tree);
            assertThat(output.size()).isEqualTo(length);
            output.reset(length - 1);
            assertThatThrownBy(() -> output.tree(tree)).isInstanceOf(MsgpackOutput.Full.class);
        }
        output.reset(1000);
        assertThatThrownBy(() -> output.raw(new byte[1 << 20], 0, 1 << 20)).isInstanceOf(MsgpackOutput.Full.class);
        assertThatThrownBy(() -> output.tree(BigInteger.ONE.shiftLeft(64)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
