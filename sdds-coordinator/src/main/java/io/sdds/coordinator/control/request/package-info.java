/** Answers to the requests of clients: tables, schemas, replicas, statistics and status. */
@NullMarked
package io.sdds.coordinator.control.request;

import org.jspecify.annotations.NullMarked;
