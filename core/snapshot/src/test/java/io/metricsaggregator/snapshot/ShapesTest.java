package io.metricsaggregator.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackOutput;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.codec.Seed;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.FieldsReader;
import io.metricsaggregator.snapshot.fields.FieldsWriter;
import io.metricsaggregator.snapshot.fields.JsonWriter;
import io.metricsaggregator.snapshot.fields.TreeReader;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.DeviceEnergy;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.Imported;
import io.metricsaggregator.snapshot.figures.Interactivity;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Outage;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.SaturationMonitor;
import io.metricsaggregator.snapshot.figures.SelfCost;
import io.metricsaggregator.snapshot.figures.Slices;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every record by its declaration: what is written is read, in place and from trees, in whatever order the keys come. */
class ShapesTest {
    private static final int ROUNDS = 200;
    private static final int OUTCOMES = 10;
    private final FieldsReader inPlace = new FieldsReader();

    /** A record with its declaration. */
    private record Case<T extends Record>(Class<T> type, Fields.Shape<T> shape, T blank) {}

    private static List<Case<?>> cases() {
        return List.of(
                new Case<>(SelfCost.class, SelfCost::pass, SelfCost.BLANK),
                new Case<>(
                        SnapshotExtensions.WorkerRow.class,
                        SnapshotExtensions.WorkerRow::pass,
                        SnapshotExtensions.WorkerRow.BLANK),
                new Case<>(LabelBreakdown.class, LabelBreakdown::pass, LabelBreakdown.BLANK),
                new Case<>(SaturationMonitor.class, SaturationMonitor::pass, SaturationMonitor.BLANK),
                new Case<>(NodeRow.class, NodeRow::pass, NodeRow.BLANK),
                new Case<>(DeviceEnergy.class, DeviceEnergy::pass, DeviceEnergy.BLANK),
                new Case<>(Slices.class, Slices::pass, Slices.BLANK),
                new Case<>(Goodput.class, Goodput::pass, Goodput.BLANK),
                new Case<>(SessionInfo.class, SessionInfo::pass, SessionInfo.BLANK),
                new Case<>(Outage.class, Outage::pass, Outage.BLANK),
                new Case<>(Interactivity.class, Interactivity::pass, Interactivity.BLANK),
                new Case<>(Progress.class, Progress::pass, Progress.BLANK),
                new Case<>(
                        SnapshotExtensions.InFlight.class,
                        SnapshotExtensions.InFlight::pass,
                        SnapshotExtensions.InFlight.BLANK),
                new Case<>(
                        SnapshotExtensions.ErrorRow.class,
                        SnapshotExtensions.ErrorRow::pass,
                        SnapshotExtensions.ErrorRow.BLANK),
                new Case<>(Conversations.class, Conversations::pass, Conversations.BLANK),
                new Case<>(SeriesDetail.class, SeriesDetail::pass, SeriesDetail.BLANK),
                new Case<>(RunInfo.class, RunInfo::pass, RunInfo.BLANK),
                new Case<>(Imported.class, Imported::pass, Imported.BLANK));
    }

    @TestFactory
    Stream<DynamicTest> every_record_is_read_as_it_was_written() {
        return cases().stream().map(each -> DynamicTest.dynamicTest(each.type().getSimpleName(), () -> check(each)));
    }

    /** Records with maps in which every key is a name, so that none is unknown. */
    private static final Set<Class<?>> NAMES =
            Set.of(LabelBreakdown.class, RunInfo.class, Imported.class, Goodput.class);

    private <T extends Record> void check(Case<T> of) throws IOException {
        Random random = Seed.random(ShapesTest.class);
        RandomRecords records = new RandomRecords(random);
        for (int round = 0; round < ROUNDS; round++) {
            T record = records.of(of.type());
            byte[] bytes = written(record, of.shape());
            Map<?, ?> tree = (Map<?, ?>) new MsgpackTree().read(ByteBuffer.wrap(bytes));
            requireEqual(read(bytes, of), record);
            requireEqual(TreeReader.read("r", tree, of.shape(), of.blank()), record);
            byte[] json = JsonTree.writeLine((JsonTree.Document) to -> new JsonWriter(to).record(record, of.shape()));
            assertThat(json).isEqualTo(JsonTree.writeLine(tree));
            requireEqual(TreeReader.read("r", JsonTree.read(json), of.shape(), of.blank()), record);
            if (!NAMES.contains(of.type())) {
                requireEqual(read(packed(shuffled(tree, random)), of), record);
            }
            if (round < OUTCOMES) {
                requireSameOutcomes(tree, of);
            }
        }
    }

    private static <T> byte[] written(T record, Fields.Shape<T> shape) {
        MsgpackOutput output = new MsgpackOutput();
        new FieldsWriter(output).record(record, shape);
        return output.toByteArray();
    }

    private static byte[] packed(Object tree) {
        MsgpackOutput output = new MsgpackOutput();
        output.tree(tree);
        return output.toByteArray();
    }

    private <T extends Record> T read(byte[] bytes, Case<T> of) throws MalformedMessageException {
        byte[] inside = new byte[bytes.length + 7];
        System.arraycopy(bytes, 0, inside, 3, bytes.length);
        return inPlace.read("r", inside, 3, 3 + bytes.length, of.shape(), of.blank());
    }

    private static void requireEqual(Object read, Object expected) {
        if (!read.equals(expected)) {
            assertThat(read).usingRecursiveComparison().isEqualTo(expected);
        }
    }

    /** The entries in another order, with unknown ones between them. */
    private static Map<String, Object> shuffled(Map<?, ?> tree, Random random) {
        List<Map.Entry<?, ?>> entries = new ArrayList<>(tree.entrySet());
        Collections.shuffle(entries, random);
        Map<String, Object> shuffled = new LinkedHashMap<>();
        for (Map.Entry<?, ?> each : entries) {
            if (random.nextInt(4) == 0) {
                shuffled.put("unknown" + shuffled.size() + "_".repeat(random.nextInt(40)), List.of(1, Map.of("a", 2)));
            }
            shuffled.put((String) each.getKey(), each.getValue());
        }
        return shuffled;
    }

    /** Drops each key, gives it a wrong value, and repeats it: both readers read the same, or fail with the same text, which names the key. */
    private <T extends Record> void requireSameOutcomes(Map<?, ?> tree, Case<T> of) throws IOException {
        for (Object key : tree.keySet()) {
            Map<Object, Object> without = new LinkedHashMap<>(tree);
            without.remove(key);
            requireSameOutcome(packed(without), of, key);
            for (Object wrong : List.of(7L, -0.5, "text", true, List.of(), Map.of("x", 1L), new byte[2])) {
                Map<Object, Object> changed = new LinkedHashMap<>(tree);
                changed.put(key, wrong);
                requireSameOutcome(packed(changed), of, key);
            }
            requireEqual(read(twice(tree, key), of), TreeReader.read("r", tree, of.shape(), of.blank()));
        }
    }

    /** The map with one of its keys twice, first with a value of a wrong type. */
    private static byte[] twice(Map<?, ?> tree, Object key) {
        MsgpackOutput output = new MsgpackOutput();
        output.mapHeader(tree.size() + 1);
        for (Map.Entry<?, ?> each : tree.entrySet()) {
            if (each.getKey().equals(key)) {
                output.tree(key);
                output.tree(each.getValue() instanceof List ? (Object) 1L : List.of());
            }
            output.tree(each.getKey());
            output.tree(each.getValue());
        }
        return output.toByteArray();
    }

    private <T extends Record> void requireSameOutcome(byte[] bytes, Case<T> of, Object key) throws IOException {
        Object tree = new MsgpackTree().read(ByteBuffer.wrap(bytes));
        Record[] read = new Record[2];
        Throwable fromTree = catchThrowable(() -> read[0] = TreeReader.read("r", tree, of.shape(), of.blank()));
        Throwable fromBytes = catchThrowable(() -> read[1] = read(bytes, of));
        if (fromTree == null) {
            assertThat(fromBytes).isNull();
            requireEqual(read[1], read[0]);
        } else {
            assertThat(fromTree).isInstanceOf(MalformedMessageException.class).hasMessageStartingWith("r." + key);
            assertThat(fromBytes).isInstanceOf(MalformedMessageException.class).hasMessage(fromTree.getMessage());
        }
    }
}
