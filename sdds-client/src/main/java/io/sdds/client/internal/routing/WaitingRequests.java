package io.sdds.client.internal.routing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The requests that wait for one brick: those that the brick has refused, and those that it has not seen. */
final class WaitingRequests {
    /** In the order of the refusals. They are sent again before the others, as fast as {@link FlowControl} allows. */
    private final ArrayDeque<Request<?>> refused = new ArrayDeque<>();

    private final ArrayDeque<Request<?>> unseen = new ArrayDeque<>();

    void add(Request<?> request) {
        unseen.add(request);
    }

    void addRefused(Request<?> request) {
        refused.add(request);
    }

    boolean hasUnseen() {
        return !unseen.isEmpty();
    }

    boolean hasRefused() {
        return !refused.isEmpty();
    }

    boolean isEmpty() {
        return refused.isEmpty() && unseen.isEmpty();
    }

    int size() {
        return refused.size() + unseen.size();
    }

    Request<?> removeUnseen() {
        return unseen.remove();
    }

    Request<?> removeRefused() {
        return refused.remove();
    }

    void forEachUnseen(Consumer<Request<?>> consumer) {
        unseen.forEach(consumer);
    }

    /** Another process may serve the brick's address, so the refusals count no more. The order stays. */
    void forgetRefusals() {
        while (!refused.isEmpty()) {
            unseen.addFirst(refused.removeLast());
        }
    }

    /** Removes all requests; the refused ones come first. */
    List<Request<?>> takeAll() {
        List<Request<?>> all = new ArrayList<>(refused);
        all.addAll(unseen);
        refused.clear();
        unseen.clear();
        return all;
    }

    /** Moves requests that are over to a list. Returns the next deadline, at most {@code earliest}. */
    long expire(long now, List<Request<?>> expired, long earliest) {
        return Request.expire(unseen, now, expired, Request.expire(refused, now, expired, earliest));
    }
}
