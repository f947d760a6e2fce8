package io.metricsaggregator.simulation.net;

import io.metricsaggregator.simulation.machine.Machine;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Waits in virtual time until a peer connects, has sent bytes or takes some. */
final class PeerSelector extends AbstractSelector {
    private static final long MILLI = 1_000_000;

    private final Machine machine;
    private final Set<SelectionKey> keys = new LinkedHashSet<>();

    PeerSelector(Machine machine) {
        super(null);
        this.machine = machine;
    }

    /** A channel that a selector knows. */
    interface Ready {
        /** Operations that would not block now. */
        int readyOps();
    }

    private static final class Key extends AbstractSelectionKey {
        private final AbstractSelectableChannel channel;
        private final PeerSelector selector;
        private int interest;

        Key(AbstractSelectableChannel channel, PeerSelector selector, int interest) {
            this.channel = channel;
            this.selector = selector;
            this.interest = interest;
        }

        @Override
        public AbstractSelectableChannel channel() {
            return channel;
        }

        @Override
        public Selector selector() {
            return selector;
        }

        @Override
        public int interestOps() {
            return interest;
        }

        @Override
        public SelectionKey interestOps(int ops) {
            interest = ops;
            return this;
        }

        @Override
        public int readyOps() {
            return channel.isOpen() ? ((Ready) channel).readyOps() & interest : 0;
        }
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        Key key = new Key(channel, this, ops);
        key.attach(attachment);
        keys.add(key);
        return key;
    }

    private void dropCancelled() {
        for (SelectionKey each : List.copyOf(cancelledKeys())) {
            keys.remove(each);
            deregister((AbstractSelectionKey) each);
        }
        cancelledKeys().clear();
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) {
        dropCancelled();
        int selected = 0;
        for (SelectionKey each : new ArrayList<>(keys)) {
            if (each.isValid() && each.readyOps() != 0) {
                selected++;
                action.accept(each);
            }
        }
        dropCancelled();
        return selected;
    }

    @Override
    public int select(Consumer<SelectionKey> action, long millis) {
        int selected = selectNow(action);
        if (selected > 0) {
            return selected;
        }
        // What is due and ready for no key, as a peer that is not accepted any more, must not let the caller spin.
        long now = machine.now();
        long next = NetCalls.nextNanos();
        machine.parkUntil(Math.min(now + millis * MILLI, next > now ? next : now + MILLI));
        return selectNow(action);
    }

    @Override
    public Selector wakeup() {
        return this;
    }

    @Override
    public Set<SelectionKey> keys() {
        return Set.copyOf(keys);
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        throw new UnsupportedOperationException("selectedKeys");
    }

    @Override
    public int selectNow() {
        throw new UnsupportedOperationException("selectNow");
    }

    @Override
    public int select(long timeout) {
        throw new UnsupportedOperationException("select");
    }

    @Override
    public int select() {
        throw new UnsupportedOperationException("select");
    }

    @Override
    protected void implCloseSelector() {
        dropCancelled();
        keys.clear();
    }
}
