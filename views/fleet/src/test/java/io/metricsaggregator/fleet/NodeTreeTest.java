package io.metricsaggregator.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.SessionState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a fleet of fleets ends. */
class NodeTreeTest {
    /** Fleets below one another, the last with the node; the first is the one that the top fleet sees. */
    private static List<TestFleet> chain(String name, int levels, Expectation expected) {
        List<TestFleet> fleets = new ArrayList<>();
        for (int i = 0; i < levels; i++) {
            fleets.add(new TestFleet(name + i, expected, 10));
        }
        return fleets;
    }

    /** The node sends to the last fleet of the chain, and each fleet to the one above. */
    private static void report(TestNode node, SessionState state, List<TestFleet> chain, TestFleet top) {
        chain.get(chain.size() - 1).receive(node, state);
        pass(chain, top);
    }

    private static void pass(List<TestFleet> chain, TestFleet top) {
        for (int i = chain.size() - 1; i > 0; i--) {
            chain.get(i - 1).receive(chain.get(i).next());
        }
        top.receive(chain.get(0).next());
    }

    private static void later(double seconds, List<TestFleet> one, List<TestFleet> other, TestFleet top) {
        one.forEach(each -> each.pass(seconds));
        other.forEach(each -> each.pass(seconds));
        top.pass(seconds);
        pass(one, top);
        pass(other, top);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void a_tree_ends_as_the_flat_fleet_of_its_nodes_when_all_nodes_of_one_branch_are_lost(int levels) {
        Expectation one = new Expectation(1, List.of());
        TestFleet top = new TestFleet("top", new Expectation(2, List.of()), 10);
        List<TestFleet> a = chain("a", levels, one);
        List<TestFleet> b = chain("b", levels, one);
        TestNode x = new TestNode("x", "r1");
        report(new TestNode("y", "r2"), SessionState.LIVE, b, top);
        report(x, SessionState.LIVE, a, top);
        later(1, a, b, top);
        report(x, SessionState.COMPLETE, a, top);
        later(1, a, b, top);
        assertThat(top.table.anyEnded(top.nanos)).isTrue();
        assertThat(top.table.isOver(top.nanos)).isFalse();
        later(40, a, b, top);
        assertThat(top.row("y").state()).isEqualTo(NodeState.LOST);
        assertThat(top.table.isOver(top.nanos)).isTrue();
        assertThat(top.next().state()).isEqualTo(SessionState.INTERRUPTED);
    }

    @Test
    void a_tree_waits_for_a_branch_that_waits_for_a_node_of_its_own() {
        TestFleet top = new TestFleet("top", new Expectation(2, List.of()), 10);
        List<TestFleet> a = chain("a", 1, new Expectation(1, List.of()));
        for (Expectation more : List.of(new Expectation(2, List.of()), new Expectation(0, List.of("late")))) {
            List<TestFleet> b = chain("b" + more.names(), 1, more);
            report(new TestNode("x", "r1"), SessionState.COMPLETE, a, top);
            report(new TestNode("y", "r2" + more.names()), SessionState.LIVE, b, top);
            later(40, a, b, top);
            assertThat(top.table.isOver(top.nanos)).isFalse();
        }
    }

    @Test
    void a_tree_whose_nodes_all_ended_is_complete_before_the_fleets_below_say_that_they_ended() {
        TestFleet top = new TestFleet("top", new Expectation(1, List.of()), 10);
        TestFleet below = new TestFleet("a", new Expectation(1, List.of()), 10);
        below.receive(new TestNode("x", "r1"), SessionState.COMPLETE);
        top.receive(below.sum.next(below.table, SessionState.LIVE, below.nanos, below.wall(), List.of()));
        assertThat(top.table.isOver(top.nanos)).isTrue();
        assertThat(top.next().state()).isEqualTo(SessionState.COMPLETE);
    }
}
