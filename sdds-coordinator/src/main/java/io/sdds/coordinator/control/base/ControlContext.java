package io.sdds.coordinator.control.base;

import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.node.Env;

/** The objects that the reconcilers of one coordinator share. Only committed commands change the state. */
public record ControlContext(Env env, CoordinatorSettings settings, CommandLog log, ClusterState state) {}
