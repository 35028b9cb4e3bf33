package io.sdds.brick.node;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.Groups;
import io.sdds.brick.migration.MigrationListener;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.core.node.Link;

/** Passes the calls of a stage's groups and migrations on to the part of the stage that handles them. */
final class StageListener implements Groups.Listener, MigrationListener {
    private final BrickNode stage;

    StageListener(BrickNode stage) {
        this.stage = stage;
    }

    @Override
    public void rerun(Link link, ByteBuf frame) {
        stage.requests().rerun(link, frame);
    }

    @Override
    public void overdue(Link link, ByteBuf frame) {
        stage.requests().overdue(link, frame);
    }

    @Override
    public void toPrimary(Request request) {
        stage.requests().router().toPrimary(request);
    }

    @Override
    public void toParity(Request request, int group) {
        stage.toParity(request, group);
    }

    @Override
    public void ownerChanged(Partition partition) {
        stage.migrations().ownerChanged(partition);
    }

    @Override
    public void splitAbandoned(int table) {
        stage.splitDemand().backOff(table);
    }

    @Override
    public void causeOfFailureFound() {
        stage.causeOfFailureFound();
    }

    @Override
    public void reportSoon() {
        stage.reportSoon();
    }
}
