package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.core.node.Link;

/** A stage that does nothing when its groups call it. */
public class NoRequests implements Groups.Listener {
    @Override
    public void rerun(Link link, ByteBuf frame) {}

    @Override
    public void overdue(Link link, ByteBuf frame) {}

    @Override
    public void toPrimary(Request request) {}

    @Override
    public void causeOfFailureFound() {}

    @Override
    public void reportSoon() {}

    @Override
    public void ownerChanged(Partition partition) {}

    @Override
    public void toParity(Request request, int group) {}
}
